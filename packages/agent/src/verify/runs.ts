// The programs of a command line that test, build, check types or lint, and whether each of them passed.
import type { RunKind, SimpleCommand } from './commands/commands.ts'
import { isPartialRun, kindOf, onlyPrints, splitShell } from './commands/commands.ts'
import { countErrors } from './printed-errors.ts'
import { printedStatus } from './printed-status.ts'
import { readReports, type Report } from './reports.ts'

export type RunStatus = 'passed' | 'failed' | 'unknown'

/** A program that tests, builds, checks types or lints, within one command line. */
export interface Run {
  kind: RunKind
  status: () => RunStatus
  isPartial: boolean
  words: readonly string[]
}

export interface Runs {
  runs: Run[]
  reports: () => readonly Report[]
}

/** The exit code is undefined if the command did not finish. */
export function readRuns(
  parts: readonly SimpleCommand[],
  exitCode: number | undefined,
  output: string,
): Runs {
  const reports = lazily(() => readReports(output, parts.some(cutsLines)))
  const printed = { exitCode, output, reports }
  const runs = [...runsOf(parts, printed), ...scriptRuns(parts, printed)]
  // A report without a known command is a test run, too: `./ci`, `npm run check`.
  if (!runs.some(({ kind }) => kind === 'test') && !isReader(parts) && reports().length > 0) {
    const status = exitCode === 0 ? 'unknown' : 'failed'
    const words = parts[0]?.words ?? []
    runs.push(createRun({ kind: 'test', isPartial: false, words }, status, { ...printed, parts }))
  }
  return { runs, reports }
}

interface Output {
  exitCode: number | undefined
  output: string
  reports: () => readonly Report[]
}

function runsOf(parts: readonly SimpleCommand[], printed: Output): Run[] {
  return parts.flatMap(({ words }, index) => {
    const kind = kindOf(words)
    if (kind === undefined) return []
    const status =
      printedStatus(parts, index, printed.output) ?? statusOf(parts, index, printed.exitCode)
    const later = kindsAfter(parts, index)
    return createRun({ kind, isPartial: isPartialRun(words), words }, status, {
      ...printed,
      parts,
      later,
    })
  })
}

/** Kinds of the parts that start only if the part at `index` succeeds. */
function kindsAfter(parts: readonly SimpleCommand[], index: number): RunKind[] {
  const kinds: RunKind[] = []
  for (let next = index; parts[next]?.operator === '&&'; next++) {
    const kind = kindOf(parts[next + 1]?.words ?? [])
    if (kind !== undefined) kinds.push(kind)
  }
  return kinds
}

/** Package managers print the line of a script: `> tsc && eslint .`. Only kinds that the command does not name. */
function scriptRuns(parts: readonly SimpleCommand[], printed: Output): Run[] {
  if (!parts.some(({ words }) => /^(npm|yarn|pnpm|bun)$/.test(words[0] ?? ''))) return []
  const named = new Set(parts.map(({ words }) => kindOf(words)))
  return [...printed.output.slice(0, maxScriptOutput).matchAll(/^[>$] (.+)$/gm)]
    .flatMap(([, line = '']) => runsOf(splitShell(line), printed))
    .filter(({ kind }) => !named.has(kind))
}

const maxScriptOutput = 16 * 1024

/** A command that prints a file may print an old report, and one that prints its words an invented one. */
function isReader(parts: readonly SimpleCommand[]): boolean {
  return parts.every(({ words }) => onlyPrints(words))
}

/** The exit status of one simple command, as far as the status of the line shows it. */
function statusOf(
  parts: readonly SimpleCommand[],
  index: number,
  exitCode: number | undefined,
): RunStatus {
  if (exitCode === undefined) return 'failed'
  const after = parts.slice(index, -1).map(({ operator }) => operator)
  if (after.length === 0) return exitCode === 0 ? 'passed' : 'failed'
  if (after.every((operator) => operator === '&&')) return exitCode === 0 ? 'passed' : 'failed'
  const hasStrictMode = parts.some(
    ({ words }) => words[0] === 'set' && words.slice(1).join(' ').includes('e'),
  )
  if (hasStrictMode && after.every((operator) => operator !== '|' && operator !== '||')) {
    return exitCode === 0 ? 'passed' : 'failed'
  }
  return 'unknown'
}

interface Printed extends Output {
  parts: readonly SimpleCommand[]
  /** Kinds of runs that prove by their output that this one succeeded. */
  later?: readonly RunKind[]
}

/** Outputs are read only if a claim needs them: a session may have thousands of commands. */
function createRun(run: Omit<Run, 'status'>, status: RunStatus, printed: Printed): Run {
  return { ...run, status: lazily(() => statusWithOutput(run.kind, status, printed)) }
}

function lazily<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

/** What the output shows outweighs an exit status that another command may have set. */
function statusWithOutput(kind: RunKind, status: RunStatus, printed: Printed): RunStatus {
  const { exitCode, output, parts } = printed
  if (kind === 'test') {
    const reports = printed.reports()
    if (reports.length === 0) return withoutReport(status, output)
    const passed = reports.reduce((sum, report) => sum + report.passed, 0)
    if (passed === 0 || reports.some(({ failed }) => failed > 0)) return 'failed'
    if (status !== 'failed') return 'passed'
    return exitCode !== undefined && failsBesideTests(parts, output) ? 'passed' : 'failed'
  }
  if (status === 'failed' && hasLaterOutput(printed)) return 'passed'
  if (status !== 'unknown') return status
  const errors = countErrors(output)
  if (errors !== undefined) return errors > 0 ? 'failed' : 'passed'
  return output.trim() === '' && kind !== 'build' ? 'passed' : 'unknown'
}

/** `tsc && vitest run` that prints a report of tests: tsc succeeded. */
function hasLaterOutput({ later = [], reports, output }: Printed): boolean {
  return (
    (later.includes('test') && reports().length > 0) ||
    (later.includes('lint') && /✖ \d+ problems?/.test(output))
  )
}

/** Another part of the line, or a threshold of the coverage, explains an exit code beside passing counts. */
function failsBesideTests(parts: readonly SimpleCommand[], output: string): boolean {
  const isOneOfMany = parts.filter(({ words }) => kindOf(words) !== undefined).length > 1
  const test = parts.findIndex(({ words }) => kindOf(words) === 'test')
  const isFollowed =
    test >= 0 &&
    parts[test]?.operator === '&&' &&
    !/^(echo|cat|head|tail|ls|cd|true|:)$/.test(parts[test + 1]?.words[0] ?? '')
  return isOneOfMany || isFollowed || belowThreshold.test(output)
}

const belowThreshold =
  /coverage threshold .*not met|Required test coverage of .* not reached|Coverage for \w+ .*does not meet/i

function withoutReport(status: RunStatus, output: string): RunStatus {
  if (ranNoTests.test(output)) return 'failed'
  return status === 'unknown' ? buildOutcome(output) : status
}

const ranNoTests =
  /^[^\S\n]*(?:No test files found|No tests found|No test suite found|collected 0 items|no tests ran|testing: warning: no tests to run|No tests were found)/im

/** Gradle and similar tools print no counts if all tests pass. */
function buildOutcome(output: string): RunStatus {
  if (/\bBUILD FAILED\b|^make(?:\[\d+\])?: \*\*\* /m.test(output)) return 'failed'
  return /\bBUILD SUCCESS(?:FUL)?\b/.test(output) ? 'passed' : 'unknown'
}

/** Whether a part of a pipeline drops lines. */
function cutsLines({ words }: { words: readonly string[] }): boolean {
  return words[0] === 'tail' || words[0] === 'head'
}
