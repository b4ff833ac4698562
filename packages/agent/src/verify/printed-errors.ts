// The numbers of errors and warnings that a compiler, a linter or a build tool printed.

/** A summary is at the end of an output. */
const maxLength = 64 * 1024

/** Summaries with a number of errors. The first row that matches decides. */
const counted: readonly RegExp[] = [
  /✖ \d+ problems? \((\d+) errors?/,
  /\bFound (\d+) errors?\b/,
  /^[^\S\n]*(\d+) Error\(s\)/m,
  /\bcompiled with (\d+) errors?\b/,
  /^(\d+) errors?, \d+ warnings?\b/m,
  /\bdue to (\d+) previous errors?\b/,
  /\b(\d+) offenses? detected\b/,
  /^(\d+) issues?[:.]/m,
  /^(\d+) errors?( generated\.)?$/m,
]

/** Lines that say that a build has failed, without a number. */
const failed =
  /^make(?:\[\d+\])?: \*\*\* |\bBUILD FAILED\b|\bFailed to compile\b|\bFAILURE: Build failed\b|\bcould not compile\b|\bCompilation failed\b|^Build failed\b/im

const succeeded =
  /\b(?:no|0) (?:errors?|issues|problems|offenses)\b|Success: no issues|All checks passed|compiled successfully|\bBUILD (?:SUCCESSFUL|SUCCEEDED|SUCCESS)\b|\bBuild succeeded\b/i

/** Undefined if the output shows neither errors nor success. */
export function countErrors(output: string): number | undefined {
  const text = output.slice(-maxLength)
  for (const pattern of counted) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return Number(found)
  }
  const lines = [...text.matchAll(/(?:^|\s)error(?: TS\d+|\[E\d+\])?:/gim)].length
  if (lines > 0) return lines
  if (failed.test(text)) return 1
  return succeeded.test(text) ? 0 : undefined
}

const countedWarnings: readonly RegExp[] = [
  /\(\d+ errors?, (\d+) warnings?\)/,
  /\b(?:generated|with|found) (\d+) warnings?\b/i,
  /\b(\d+) warnings? (?:emitted|generated|found)\b/i,
  /^[^\S\n]*(\d+) Warning\(s\)/m,
]

/** The number of warnings that a summary line names; 0 without one. */
export function countWarnings(output: string): number {
  const text = output.slice(-maxLength)
  for (const pattern of countedWarnings) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return Number(found)
  }
  return 0
}
