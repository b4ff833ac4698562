// Checks that a result carries meaning: required fields, no placeholders, no boilerplate calls.
import { asObject, resolvePointer } from '../json/json.ts'
import { failure, missingCommands, startsWithCommand } from './failure.ts'
import type { ExpectationFailure, ObservedAttempt } from './failure.ts'
import { artifactName } from '../layout/layout.ts'
import type { MetricsPass } from '../summary/summary.ts'
import type { SemanticExpectations } from '../suite/suite.ts'

export function semanticFailures(
  expected: SemanticExpectations | undefined,
  observed: ObservedAttempt,
): ExpectationFailure[] {
  if (expected === undefined) return []
  const result = parsedResult(observed)
  const placeholders = new Set(
    (expected.placeholderValues ?? []).map((value) => normaliseText(String(value))),
  )
  return [
    ...pointerFailures(expected, result, placeholders),
    ...fieldCountFailures(expected.minMeaningfulFields ?? 0, result, placeholders),
    ...toolFailures(expected, observed.trace),
    ...boilerplateFailures(expected, observed.trace, countMeaningfulFields(result, placeholders)),
  ]
}

/** The result; text that contains JSON is parsed. */
function parsedResult({ feedback }: ObservedAttempt): unknown {
  if (feedback?.resultJson !== undefined) return feedback.resultJson
  try {
    return JSON.parse(feedback?.result ?? '')
  } catch {
    return feedback?.result
  }
}

function pointerFailures(
  expected: SemanticExpectations,
  result: unknown,
  placeholders: ReadonlySet<string>,
): ExpectationFailure[] {
  const absent = (expected.requiredJsonPointers ?? [])
    .filter((pointer) => resolvePointer(result, pointer) === undefined)
    .map((pointer) => `the result has nothing at ${JSON.stringify(pointer)}`)
  const empty = (expected.nonEmptyJsonPointers ?? [])
    .filter((pointer) => countMeaningfulFields(resolvePointer(result, pointer), placeholders) === 0)
    .map((pointer) => `the result says nothing at ${JSON.stringify(pointer)}`)
  return [...absent, ...empty].map((message) =>
    failure('ZCL_E_EXPECT_SEMANTIC_POINTER', message, artifactName.feedback),
  )
}

function fieldCountFailures(
  min: number,
  result: unknown,
  placeholders: ReadonlySet<string>,
): ExpectationFailure[] {
  if (min === 0) return []
  const found = countMeaningfulFields(result, placeholders)
  if (found >= min) return []
  const message = `${found} meaningful fields in the result, at least ${min} expected`
  return [failure('ZCL_E_EXPECT_SEMANTIC_MEANINGFUL', message, artifactName.feedback)]
}

/** Number of leaves that are not null, blank or a placeholder. */
function countMeaningfulFields(value: unknown, placeholders: ReadonlySet<string>): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'string')
    return placeholders.has(normaliseText(value)) || normaliseText(value) === '' ? 0 : 1
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce(
    (sum: number, each) => sum + countMeaningfulFields(each, placeholders),
    0,
  )
}

function normaliseText(text: string): string {
  return text.trim().toLowerCase()
}

function toolFailures(
  expected: SemanticExpectations,
  trace: MetricsPass | undefined,
): ExpectationFailure[] {
  const ops = asObject(trace?.metrics().toolCallsByOp)
  const tools = trace?.mcpToolsSeen() ?? new Set()
  const prefixes = expected.requireCommandPrefix ?? []
  const commands = trace === undefined ? prefixes : missingCommands(prefixes, trace)
  const messages = [
    ...(expected.requireToolOps ?? [])
      .filter((op) => !Object.hasOwn(ops, op))
      .map((op) => `no call of operation ${JSON.stringify(op)}`),
    ...commands.map((prefix) => `no call starts with ${JSON.stringify(prefix)}`),
    ...(expected.requireMCPTool ?? [])
      .filter((tool) => !tools.has(tool))
      .map((tool) => `no call of the MCP tool ${JSON.stringify(tool)}`),
  ]
  return messages.map((message) =>
    failure('ZCL_E_EXPECT_SEMANTIC_TOOL', message, artifactName.trace),
  )
}

/** Fails a result with few meaningful fields if every call was boilerplate. */
function boilerplateFailures(
  expected: SemanticExpectations,
  trace: MetricsPass | undefined,
  meaningful: number,
): ExpectationFailure[] {
  if (expected.suspiciousBoilerplate !== true) return []
  const max = expected.maxMeaningfulFieldsForBoilerplate ?? defaultBoilerplateFields
  if (meaningful > max || hasDistinctiveCall(expected, trace)) return []
  const message = `${meaningful} meaningful fields, and no call but boilerplate`
  return [failure('ZCL_E_EXPECT_SEMANTIC_BOILERPLATE', message, artifactName.feedback)]
}

const defaultBoilerplateFields = 1

function hasDistinctiveCall(
  expected: SemanticExpectations,
  trace: MetricsPass | undefined,
): boolean {
  if (trace === undefined) return false
  const boilerplateTools = new Set(expected.boilerplateMcpTools)
  const tools = trace.mcpToolsSeen()
  if ([...tools].some((tool) => !boilerplateTools.has(tool))) return true
  const prefixes = expected.boilerplateCommandPrefixes ?? []
  for (const argv of trace.commandLines()) {
    if (!prefixes.some((prefix) => startsWithCommand(argv, prefix))) return true
  }
  // Calls at other boundaries (HTTP, a program's own tools) never count as boilerplate.
  const { toolCallsByTool } = trace.metrics()
  return Object.keys(toolCallsByTool).some((tool) => tool !== 'cli' && tool !== 'mcp')
}
