// Turns the issues of a schema check into findings with the codes of the contract.
import type * as z from 'zod/mini'
import type { Scope } from './findings.ts'
import type { RefinementParams } from '../schema/schema.ts'

/** Fields that identify an artifact; their faults are errors in every mode. */
const envelope: ReadonlySet<unknown> = new Set([
  'v',
  'schemaVersion',
  'runId',
  'suiteId',
  'missionId',
  'attemptId',
  'agentId',
  'ts',
  'tool',
  'op',
  'result',
  'io',
  'mode',
  'ok',
])

const versionFields: ReadonlySet<unknown> = new Set(['v', 'schemaVersion', 'artifactLayoutVersion'])

/** Adds a finding for every issue of `value` with `schema`. */
export function checkSchema(
  schema: z.ZodMiniType,
  value: Record<string, unknown>,
  scope: Scope,
  location: { name: string; prefix: string },
): void {
  const read = schema._zod.run({ value, issues: [] }, { async: false })
  if (read instanceof Promise || read.issues.length === 0) return
  for (const issue of read.issues) report(issue, value, scope, location)
}

/** Whether a fault in this top-level field is an error in every mode. */
function isEnvelopeField(field: unknown): boolean {
  return envelope.has(field)
}

/** Adds a contract fault: an error in the envelope, elsewhere an error only in strict mode. */
export function contractFault(scope: Scope, field: unknown, message: string, name: string): void {
  if (isEnvelopeField(field)) scope.error('ZCL_E_CONTRACT', message, name)
  else scope.either('ZCL_E_CONTRACT', 'ZCL_W_CONTRACT', message, name)
}

function report(
  issue: z.core.$ZodRawIssue,
  value: Record<string, unknown>,
  scope: Scope,
  { name, prefix }: { name: string; prefix: string },
): void {
  const path = issue.path ?? []
  const field = path[0]
  const fieldPath = `${prefix}${path.map(String).join('.')}`
  if (versionFields.has(field) && path.length === 1 && value[String(field)] !== undefined) {
    const shown = JSON.stringify(value[String(field)])?.slice(0, 40)
    scope.error('ZCL_E_SCHEMA_UNSUPPORTED', `${fieldPath} ${shown} is not supported`, name)
    return
  }
  const params =
    issue.code === 'custom' ? (issue.params as RefinementParams | undefined) : undefined
  const message = `${fieldPath} ${params?.text ?? describe(issue, path, value)}`
  switch (params?.zcl) {
    case 'bounds':
      return scope.error('ZCL_E_BOUNDS', message, name)
    case 'containment':
      return scope.error('ZCL_E_CONTAINMENT', message, name)
    case 'timestamp':
      return scope.either('ZCL_E_CONTRACT', 'ZCL_W_CONTRACT', message, name)
    default:
      return contractFault(scope, field, message, name)
  }
}

function describe(
  issue: z.core.$ZodRawIssue,
  path: readonly PropertyKey[],
  value: Record<string, unknown>,
): string {
  if (valueAtPath(value, path) === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `is not of type ${issue.expected}`
  if (issue.code === 'invalid_value') return `is not one of ${issue.values.join(', ')}`
  return 'is not valid'
}

function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  )
}
