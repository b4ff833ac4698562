// The exam keys of a suite: the workspace of an attempt, its isolation, and who grades it. A suite
// sets them for all missions, at the top or in `defaults`; a mission overrides them.
import * as z from 'zod/mini'
import { isJsonPlace } from '../json/json.ts'
import { isolations, networks } from '../schema/vocabulary.ts'

const retentions = ['always', 'on_failure', 'never'] as const

const strings = z.array(z.string())
const text = z.string().check(z.minLength(1))
const positive = z.int().check(z.gte(1))
/** A line for `sh -c`, or a program with its arguments. */
const command = z.union([text, z.array(z.string()).check(z.minLength(1))])
const texts = z.union([text, z.array(text).check(z.minLength(1))])

const workspace = z.looseObject({
  path: z.optional(text),
  /** A repository, `repository#revision`, or a revision of the suite's own repository. */
  git: z.optional(text),
  rev: z.optional(text),
  archive: z.optional(text),
  retain: z.optional(z.enum(retentions)),
  /** What the workspace may hold, in bytes; the size of its source and 1 GiB by default. */
  maxBytes: z.optional(positive),
})

const verification = z.looseObject({
  command,
  /** Copied to the same place; an object names the place for each source. */
  files: z.optional(z.union([text, z.array(text), z.record(text, text)])),
  timeoutMs: z.optional(positive),
})

const hash = z
  .string()
  .check(z.regex(/^(?:sha256:)?[0-9a-fA-F]{64}$/, 'must be a SHA-256 of 64 hexadecimal digits'))
const fileHash = z.looseObject({ path: text, sha256: hash })
/** An object of `path: expected value` is short for several. */
const jsonPath = z.looseObject({ path: text, equals: z.optional(z.unknown()) })
const tolerance = z.looseObject({
  value: z.number(),
  /** The largest difference that counts as equal. */
  within: z.optional(z.number().check(z.gte(0))),
  /** The same as a share of `value`. */
  relative: z.optional(z.number().check(z.gte(0))),
  /** A JSON path of the answer; the answer itself by default. */
  path: z.optional(text),
})

const score = z.looseObject({
  exact: z.optional(z.unknown()),
  contains: z.optional(texts),
  regex: z.optional(text),
  jsonPath: z.optional(z.union([text, jsonPath, z.array(jsonPath), z.record(text, z.unknown())])),
  tolerance: z.optional(tolerance),
  fileHash: z.optional(z.union([fileHash, z.array(fileHash), z.record(text, hash)])),
  command: z.optional(command),
})

const judge = z.looseObject({
  provider: text,
  model: text,
  rubric: text,
  votes: z.optional(z.int().check(z.gte(1), z.lte(25))),
  timeoutMs: z.optional(positive),
})

const container = z.looseObject({ image: text, engine: z.optional(z.enum(['docker', 'podman'])) })
const funnel = z.looseObject({
  upstream: text,
  /** The variable of the runner that gets the address of the funnel. */
  env: z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable')),
  protocol: z.optional(z.enum(['http', 'mcp'])),
})

export const examKeys = {
  workspace: z.optional(workspace),
  verify: z.optional(z.array(verification)),
  score: z.optional(score),
  judge: z.optional(judge),
  isolation: z.optional(z.enum(isolations)),
  network: z.optional(z.enum(networks)),
  container: z.optional(container),
  /** Folders and files of the host that an isolated attempt may read. */
  expose: z.optional(strings),
  /** Funnels that the harness starts for each attempt; the runner gets their addresses. */
  funnels: z.optional(z.array(funnel)),
}

const examSchema = z.looseObject(examKeys)

export type Exam = Pick<z.infer<typeof examSchema>, keyof typeof examKeys>
export type WorkspaceSource = z.infer<typeof workspace>
export type Verification = z.infer<typeof verification>
export type Score = z.infer<typeof score>
export type JsonPathScore = z.infer<typeof jsonPath>
export type FileHashScore = z.infer<typeof fileHash>
export type JudgeSpec = z.infer<typeof judge>
export type Isolation = (typeof isolations)[number]
export type NetworkAccess = (typeof networks)[number]

interface ExamHolder extends Exam {
  defaults?: Exam | undefined
}

/** The exam of a mission: its own keys, then those of the suite, then its defaults. */
export function mergeExam(suite: ExamHolder, mission: Exam | undefined): Exam {
  const merged: Record<string, unknown> = {}
  const holders = [mission, suite, suite.defaults]
  for (const key of Object.keys(examKeys) as (keyof Exam)[]) {
    const value = holders.find((each) => each?.[key] !== undefined)?.[key]
    if (value !== undefined) merged[key] = value
  }
  const workspace = mergeWorkspace(holders.map((each) => each?.workspace))
  return workspace === undefined ? merged : { ...merged, workspace }
}

/**
 * The innermost workspace. It takes `retain` and `maxBytes` of outer ones if it does not state them, and
 * their source if it states nothing else.
 */
function mergeWorkspace(
  sources: readonly (WorkspaceSource | undefined)[],
): WorkspaceSource | undefined {
  const [inner, ...outer] = sources.filter((each) => each !== undefined)
  if (inner === undefined) return undefined
  const hasOnlyLimits = Object.keys(inner).length > 0 && sourcesOf(inner).length === 0
  const limits = ({ retain, maxBytes }: WorkspaceSource): WorkspaceSource => ({
    ...(retain === undefined ? {} : { retain }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  const inherited = hasOnlyLimits ? outer : outer.map(limits)
  return Object.assign({}, ...inherited.reverse(), inner) as WorkspaceSource
}

function sourcesOf({ path, git, archive }: WorkspaceSource): string[] {
  return [path, git, archive].filter((each) => each !== undefined)
}

/** What makes the exam impossible, or undefined. */
export function examProblem(exam: Exam): string | undefined {
  const { workspace: source, isolation = 'none', network = 'host' } = exam
  if (source !== undefined) {
    if (sourcesOf(source).length > 1) return 'workspace takes one of path, git and archive'
    if (source.rev !== undefined && source.git === undefined) return 'workspace.rev needs git'
  }
  if (isolation === 'none' && network !== 'host') {
    return `network: ${network} needs isolation: namespace or container`
  }
  const funnels = funnelProblem(exam)
  if (funnels !== undefined) return funnels
  if (isolation === 'container' && exam.container === undefined) {
    return 'isolation: container needs container: {image}'
  }
  return scoreProblem(exam)
}

const reservedVariable = /^(?:ZCL_.*|PATH|HOME)$/
const upstreamForms = { http: /^https?:\/\/./i, mcp: /^(?:https?|wss?|tcp):\/\/./i } as const

function funnelProblem({ funnels = [], network = 'host' }: Exam): string | undefined {
  if (network === 'funnel-only' && funnels.length === 0) {
    return 'network: funnel-only needs funnels: [{upstream, env}]'
  }
  if (funnels.length > 0 && (network === 'none' || network === 'loopback')) {
    return `funnels cannot be reached with network: ${network}; use funnel-only`
  }
  for (const { upstream, env, protocol = 'http' } of funnels) {
    if (!upstreamForms[protocol].test(upstream) || !URL.canParse(upstream)) {
      return `funnels: ${env} needs the address of a service for ${protocol} as its upstream`
    }
    if (reservedVariable.test(env)) return `funnels: ${env} is a variable of the attempt itself`
  }
  return undefined
}

function scoreProblem({ score: expected }: Exam): string | undefined {
  if (expected === undefined) return undefined
  const known = Object.keys(expected).filter((key) => Object.hasOwn(score.shape, key))
  if (known.length === 0) return `score needs one of ${Object.keys(score.shape).join(', ')}`
  if (expected.regex !== undefined && !isExpression(expected.regex)) {
    return 'score.regex is not a regular expression'
  }
  const wrong = pathsOf(expected).find((each) => !isJsonPlace(each))
  return wrong === undefined ? undefined : `score: '${wrong}' is not a JSON path such as $.a[0]`
}

/** The JSON paths of jsonPath and tolerance. */
function pathsOf({ jsonPath, tolerance }: Score): string[] {
  const ofTolerance = tolerance?.path === undefined ? [] : [tolerance.path]
  return [...pathExpectations(jsonPath ?? []).map(({ path }) => path), ...ofTolerance]
}

export interface PathExpectation {
  path: string
  equals?: unknown
}

/** All forms of `jsonPath` as a list. */
export function pathExpectations(expected: NonNullable<Score['jsonPath']>): PathExpectation[] {
  if (typeof expected === 'string') return [{ path: expected }]
  if (Array.isArray(expected)) return expected
  if (typeof expected.path === 'string') return [expected as PathExpectation]
  return Object.entries(expected).map(([path, equals]) => ({ path, equals }))
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}
