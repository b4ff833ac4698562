// The built-in scorers of a suite. Each grades the answer of an agent, or a file of its workspace.
// A new scorer is a row of the table and a key of the suite's schema.
import { oneLine } from '@zee/core/errors'
import { comparisonFor, parseNumber } from '../oracles/oracles.ts'
import { pathExpectations, type PathExpectation, type Score } from '../suite/suite.ts'
import { fileFindings } from './file-hash.ts'
import { selectPath } from './json-path.ts'

export interface ScoreSubject {
  /** The result of the agent: text, or a JSON value. */
  answer: unknown
  /** The real path of the workspace, if the attempt has one. */
  workspace: string | undefined
  /** Runs the command of the suite; undefined if it accepts the answer, else the reason. */
  runCommand(command: string | readonly string[]): Promise<string | undefined>
}

export interface ScoreFinding {
  scorer: keyof Score & string
  ok: boolean
  /** Why not; never contains the expected value. */
  message?: string
}

type Scorer<Key extends keyof Score> = (
  expected: NonNullable<Score[Key]>,
  subject: ScoreSubject,
) => Reason | Promise<Reason>

/** Undefined if the answer is right. */
type Reason = string | undefined

const scorers: { [Key in ScorerName]: Scorer<Key> } = {
  exact: (expected, { answer }) =>
    isExact(answer, expected) ? undefined : 'the answer differs from the expected one',
  contains: (expected, { answer }) => {
    const text = answerText(answer)
    const missing = [expected].flat().filter((part) => !text.includes(part)).length
    return missing === 0 ? undefined : `${missing} expected parts are not in the answer`
  },
  regex: (expected, { answer }) =>
    new RegExp(expected, 'u').test(answerText(answer))
      ? undefined
      : 'the answer does not match the expression',
  jsonPath: (expected, { answer }) => {
    const wrong = pathExpectations(expected).filter((each) => !holdsAt(answerJson(answer), each))
    return wrong.length === 0
      ? undefined
      : `not as expected: ${oneLine(wrong.map(({ path }) => path).join(', '))}`
  },
  tolerance: (expected, { answer }) => {
    const { value, within = 0, relative = 0, path } = expected
    const found = path === undefined ? answer : selectPath(answerJson(answer), path)
    const actual = parseNumber(found)
    if (actual === undefined) return 'the answer is not a number'
    const allowed = Math.max(within, relative * Math.abs(value))
    // 0.4 - 0.3 is larger than 0.1 by a rounding error.
    const rounding = 4 * Number.EPSILON * Math.max(Math.abs(actual), Math.abs(value))
    const isNear = Math.abs(actual - value) <= allowed + (allowed === 0 ? 0 : rounding)
    return isNear ? undefined : 'the number is too far off'
  },
  fileHash: (expected, { workspace }) => fileFindings(expected, workspace),
  command: (expected, subject) => subject.runCommand(expected),
}

const scorerNames = [
  'exact',
  'contains',
  'regex',
  'jsonPath',
  'tolerance',
  'fileHash',
  'command',
] as const
type ScorerName = (typeof scorerNames)[number]

/** Scorers that look at the work itself, not at what the agent says. */
const provingScorers: readonly ScorerName[] = ['fileHash', 'command']

export function isProvenByScore(score: Score | undefined): boolean {
  return provingScorers.some((name) => score?.[name] !== undefined)
}

/** One finding per scorer that the suite names, in the order of the table. */
export async function scoreAnswer(score: Score, subject: ScoreSubject): Promise<ScoreFinding[]> {
  const findings: ScoreFinding[] = []
  for (const scorer of scorerNames) {
    const expected = score[scorer]
    if (expected === undefined) continue
    const reason = await (scorers[scorer] as Scorer<never>)(expected as never, subject)
    findings.push(
      reason === undefined ? { scorer, ok: true } : { scorer, ok: false, message: reason },
    )
  }
  return findings
}

/** Texts are compared without white space at their ends; a number equals its text in any notation. */
function isExact(answer: unknown, expected: unknown): boolean {
  if (typeof expected === 'number' && parseNumber(answer) === expected) return true
  if (typeof expected === 'object' && expected !== null) {
    return comparisonFor('eq').holds(answerJson(answer), expected, {})
  }
  return answerText(answer).trim() === String(expected).trim()
}

/** Without an expected value, the place must exist. */
function holdsAt(value: unknown, { path, equals }: PathExpectation): boolean {
  const found = selectPath(value, path)
  if (found === undefined) return false
  return equals === undefined || comparisonFor('eq').holds(found, equals, {})
}

function answerText(answer: unknown): string {
  if (answer === undefined) return ''
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

/** The answer; text that is JSON is parsed. */
function answerJson(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}
