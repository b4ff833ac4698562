// Suites: missions with prompts and expectations, in YAML or JSON. A suite is normalised when it is
// read and stored with the run as suite.json, so that equivalent files compare as equal.
import path from 'node:path'
import { canonicalJson } from '@zee/core/canonical-json'
import { oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import { kebabId } from '@zee/core/ids'
import * as z from 'zod/mini'
import { evidenceError } from '../errors/errors.ts'
import { modes, timeoutStarts } from '../schema/vocabulary.ts'
import { isObject } from '@zee/core/json'
import { datasetMissions, type DatasetSource } from './dataset.ts'
import { examKeys, examProblem, mergeExam, type Exam } from './exam.ts'
import { compilePattern } from './pattern.ts'
import { findRepeatedKey } from './repeated-key.ts'
import { runner, runnerProblem } from './runner.ts'
import { findUnknownKey, type SuitePath } from './unknown-keys.ts'
import { describeWrongValue, withoutMessages, type WrongValue } from './wrong-values.ts'

export { harnessTermsIn, defaultBlindTerms } from './blind.ts'
export { pathExpectations, type PathExpectation } from './exam.ts'
export { compilePattern } from './pattern.ts'
export { isNative } from './runner.ts'
export type {
  Exam,
  FileHashScore,
  Isolation,
  JsonPathScore,
  JudgeSpec,
  NetworkAccess,
  Score,
  Verification,
  WorkspaceSource,
} from './exam.ts'

const count = z.int().check(z.gte(0))
const strings = z.array(z.string())
const pointers = z.array(
  z.string().check(z.regex(/^(?:\/(?:[^~]|~[01])*)*$/, 'must be a JSON pointer such as /a/b')),
)

const resultExpectations = z.looseObject({
  type: z.enum(['string', 'json']),
  equals: z.optional(z.unknown()),
  pattern: z.optional(z.string()),
  requiredJsonPointers: z.optional(pointers),
})

const traceExpectations = z.looseObject({
  maxToolCallsTotal: z.optional(count),
  maxFailuresTotal: z.optional(count),
  maxTimeoutsTotal: z.optional(count),
  maxRepeatStreak: z.optional(count),
  requireCommandPrefix: z.optional(strings),
})

export const semanticSchema = z.looseObject({
  requiredJsonPointers: z.optional(pointers),
  nonEmptyJsonPointers: z.optional(pointers),
  /** An unquoted `null` of YAML stands for the word. */
  placeholderValues: z.optional(z.array(z.union([z.string(), z.null(), z.number(), z.boolean()]))),
  minMeaningfulFields: z.optional(count),
  requireToolOps: z.optional(strings),
  requireCommandPrefix: z.optional(strings),
  requireMCPTool: z.optional(strings),
  suspiciousBoilerplate: z.optional(z.boolean()),
  boilerplateMcpTools: z.optional(strings),
  boilerplateCommandPrefixes: z.optional(strings),
  maxMeaningfulFieldsForBoilerplate: z.optional(count),
  hookCommand: z.optional(strings),
  hookTimeoutMs: z.optional(z.int().check(z.gte(1))),
})

const expectations = z.looseObject({
  ok: z.optional(z.boolean()),
  result: z.optional(resultExpectations),
  trace: z.optional(traceExpectations),
  semantic: z.optional(semanticSchema),
})

const mission = z.looseObject({
  missionId: z.string(),
  prompt: z.optional(z.string()),
  tags: z.optional(strings),
  timeoutMs: z.optional(z.int().check(z.gte(1))),
  expects: z.optional(expectations),
  ...examKeys,
})

const suiteSchema = z.looseObject({
  version: z.optional(z.literal(1)),
  suiteId: z.string(),
  defaults: z.optional(
    z.looseObject({
      timeoutMs: z.optional(z.int().check(z.gte(1))),
      timeoutStart: z.optional(z.enum(timeoutStarts)),
      mode: z.optional(z.enum(modes)),
      feedbackPolicy: z.optional(z.enum(['strict', 'auto_fail'])),
      blind: z.optional(z.boolean()),
      blindTerms: z.optional(strings),
      runner: z.optional(runner),
      ...examKeys,
    }),
  ),
  runner: z.optional(runner),
  ...examKeys,
  missions: z.array(mission).check(z.minLength(1)),
})

/** A suite as a file may state it: its missions may come from a dataset. */
export const suiteFileSchema = z.extend(suiteSchema, {
  missions: z.union([
    z.array(mission).check(z.minLength(1)),
    z.looseObject({ from: z.string(), map: z.optional(z.record(z.string(), z.unknown())) }),
  ]),
})

/** The keys of a suite with a dataset; the map has those of a mission. */
const datasetKeys = z.extend(suiteSchema, {
  missions: z.looseObject({ from: z.string(), map: z.optional(mission) }),
})

export type Suite = z.infer<typeof suiteSchema>
export type Mission = z.infer<typeof mission>
export type Expectations = z.infer<typeof expectations>
export type ResultExpectations = z.infer<typeof resultExpectations>
export type TraceExpectations = z.infer<typeof traceExpectations>
export type SemanticExpectations = z.infer<typeof semanticSchema>

/** A parsed YAML or JSON text that knows the lines of its keys. */
export interface ParsedYaml {
  value: unknown
  /** The 1-based line of a key; undefined if the text has no such key. */
  lineOf(path: SuitePath): number | undefined
}

/** A YAML parser; the calling program supplies it. */
export type YamlParser = (text: string) => ParsedYaml

/**
 * Parses a suite as JSON or YAML, by the extension of `name`. Errors start with `name` and refuse
 * unknown keys.
 */
export async function parseSuite(
  text: string,
  name: string,
  loadYaml: () => Promise<YamlParser>,
  baseFolder: string = path.dirname(path.resolve(name)),
): Promise<Suite> {
  const parse = async () => (await loadYaml())(text)
  const source = { baseFolder, name, loadYaml }
  if (/\.json$/i.test(name)) {
    const value = parseJson(text, name)
    refuseRepeatedKey(text, name)
    // JSON is YAML: the parser that knows lines is loaded only for a message.
    return checkedSuite(value, source, parse)
  }
  try {
    const parsed = await parse()
    return await checkedSuite(parsed.value, source, () => parsed)
  } catch (error) {
    if (error instanceof ZeeError) throw error
    throw evidenceError('ZCL_E_INVALID_JSON', `${name} is not YAML: ${reasonOf(error)}`, error)
  }
}

type LoadLines = () => ParsedYaml | Promise<ParsedYaml>

/** Refuses unknown keys and wrong values with their lines. */
async function checkedSuite(
  value: unknown,
  source: DatasetSource,
  parse: LoadLines,
): Promise<Suite> {
  await refuseUnknownKey(value, source.name, parse)
  const made = await withDataset(value, source)
  const { error } = z.safeParse(suiteSchema, made, withoutMessages)
  if (error !== undefined && isObject(made)) {
    const wrong = await describeWrongValue(suiteFileSchema, made, error.issues)
    const line = made === value ? await lineOf(wrong.path, parse) : undefined
    throw wrongValueError(wrong, line === undefined ? source.name : `${source.name}:${line}`)
  }
  const suite = normaliseSuite(made, source.name)
  await refuseInvalidPattern(suite, source.name, made === value ? parse : undefined)
  return suite
}

function refuseRepeatedKey(text: string, name: string): void {
  const repeated = findRepeatedKey(text)
  if (repeated === undefined) return
  const { key, line } = repeated
  throw evidenceError('ZCL_E_CONTRACT', `${name}:${line}: the key ${oneLine(key)} is repeated`)
}

/** A pattern that cannot match would fail every attempt. `parse` is absent for missions of a dataset. */
async function refuseInvalidPattern(
  { missions }: Suite,
  name: string,
  parse: LoadLines | undefined,
): Promise<void> {
  for (const [index, { expects }] of missions.entries()) {
    const pattern = expects?.result?.pattern
    if (pattern === undefined || compilePattern(pattern) !== undefined) continue
    const key = ['missions', index, 'expects', 'result', 'pattern'] as const
    const line = parse === undefined ? undefined : await lineOf(key, parse)
    const place = line === undefined ? name : `${name}:${line}`
    const what = `${key.join('.')} is not a regular expression (got ${JSON.stringify(pattern)})`
    throw evidenceError('ZCL_E_CONTRACT', `${place}: ${what}`)
  }
}

function wrongValueError({ path: key, text }: WrongValue, place: string): Error {
  const isVersion = key.join('.') === 'version'
  const code = isVersion ? 'ZCL_E_SCHEMA_UNSUPPORTED' : 'ZCL_E_CONTRACT'
  return evidenceError(code, `${place}: ${text}`)
}

/** The suite with the missions of its dataset. */
async function withDataset(value: unknown, source: DatasetSource): Promise<unknown> {
  if (!isObject(value) || !isObject(value.missions)) return value
  const made = { ...value, missions: await datasetMissions(value.missions, source) }
  // Objects in the rows of a dataset are missions, or parts of them, as they are.
  await refuseUnknownKey(made, source.name, () => ({ value: made, lineOf: () => undefined }))
  return made
}

async function refuseUnknownKey(value: unknown, name: string, parse: LoadLines): Promise<void> {
  const hasDataset = isObject(value) && isObject(value.missions)
  const unknown = findUnknownKey(hasDataset ? datasetKeys : suiteSchema, value)
  if (unknown === undefined) return
  const line = await lineOf(unknown.path, parse)
  const place = line === undefined ? name : `${name}:${line}`
  const key = unknown.path.join('.')
  const message = `${place}: unknown key ${key} (did you mean ${unknown.nearest}?)`
  throw evidenceError('ZCL_E_CONTRACT', message)
}

/** Undefined for a JSON file that the YAML parser refuses. */
async function lineOf(key: SuitePath, parse: LoadLines): Promise<number | undefined> {
  try {
    return (await parse()).lineOf(key)
  } catch {
    return undefined
  }
}

/** The canonical text of a suite: equal for equivalent suites. */
export function suiteKey(suite: Suite): string {
  return canonicalJson(suite)
}

export function findMission(suite: Suite | undefined, missionId: string): Mission | undefined {
  return suite?.missions.find((mission) => mission.missionId === missionId)
}

/** How the attempts of a mission are set up and graded. */
export function examOf(suite: Suite, missionId: string): Exam {
  return mergeExam(suite, findMission(suite, missionId))
}

/** The part of an exam that decides about an answer; undefined if there is none. */
export function gradersOf(suite: Suite | undefined, missionId: string): object | undefined {
  if (suite === undefined) return undefined
  const { verify, score, judge } = examOf(suite, missionId)
  const graders = Object.entries({ verify, score, judge }).filter(([, each]) => each !== undefined)
  return graders.length === 0 ? undefined : Object.fromEntries(graders)
}

/** The suite with kebab ids, a version, and keys in canonical order. */
export function normaliseSuite(value: unknown, name: string): Suite {
  if (!isObject(value))
    throw evidenceError('ZCL_E_CONTRACT', `${name}: the suite must be an object`)
  const read = z.safeParse(suiteSchema, value)
  if (!read.success) {
    const issue = read.error.issues[0]
    const key = issue?.path.join('.') ?? ''
    const wrong =
      issue?.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : 'is not valid'
    const hint = key === 'version' ? 'version must be 1' : `${key || 'suite'} ${wrong}`
    const code = key === 'version' ? 'ZCL_E_SCHEMA_UNSUPPORTED' : 'ZCL_E_CONTRACT'
    throw evidenceError(code, `${name}: ${hint}`)
  }
  const suite = read.data
  refuseUnclearRunner(suite, name)
  const seen = new Set<string>()
  const normalised = {
    ...suite,
    version: 1,
    suiteId: requireKebabId(suite.suiteId, 'suiteId', name),
    missions: suite.missions.map((mission) => normaliseMission(mission, seen, name)),
  }
  for (const mission of suite.missions) {
    const problem = examProblem(mergeExam(suite, mission))
    if (problem === undefined) continue
    throw evidenceError('ZCL_E_CONTRACT', `${name}: ${mission.missionId}: ${problem}`)
  }
  // The round trip sorts keys at every depth and refuses values that JSON cannot represent.
  return JSON.parse(canonicalJson(normalised)) as Suite
}

function refuseUnclearRunner({ runner, defaults }: Suite, name: string): void {
  for (const each of [runner, defaults?.runner]) {
    const problem = each === undefined ? undefined : runnerProblem(each)
    if (problem !== undefined) throw evidenceError('ZCL_E_CONTRACT', `${name}: ${problem}`)
  }
}

function normaliseMission(mission: Mission, seen: Set<string>, name: string): Mission {
  const missionId = requireKebabId(mission.missionId, 'missionId', name)
  if (seen.has(missionId)) {
    throw evidenceError('ZCL_E_CONTRACT', `${name}: duplicate missionId ${missionId}`)
  }
  seen.add(missionId)
  const result = mission.expects?.result
  if (result?.type === 'string' && result.requiredJsonPointers !== undefined) {
    const where = `${name}: ${missionId}: expects.result.requiredJsonPointers`
    throw evidenceError('ZCL_E_CONTRACT', `${where} needs type "json"`)
  }
  return { ...mission, missionId }
}

function requireKebabId(text: string, field: string, name: string): string {
  const id = kebabId(text)
  if (id === '') throw evidenceError('ZCL_E_CONTRACT', `${name}: ${field} has no usable character`)
  return id
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw evidenceError('ZCL_E_INVALID_JSON', `${name} is not JSON: ${reasonOf(error)}`, error)
  }
}
