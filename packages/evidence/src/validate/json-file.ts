// Validates a JSON artifact: syntax, schema, ids, size, and absence of secrets.
import type * as z from 'zod/mini'
import { readJsonArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { checkIds, type ExpectedIds, type FindingLocation } from './rules.ts'
import { checkSchema } from './schema.ts'
import type { Scope } from './findings.ts'
import { checkSecrets, mayHoldSecret } from './secrets.ts'
import { reportUnreadable, withinDepth } from './stream.ts'

export interface FileRules {
  schema?: z.ZodMiniType
  ids?: ExpectedIds
  maxBytes?: number
  check?: (value: Record<string, unknown>, scope: Scope, location: FindingLocation) => void
}

export interface FileResult {
  present: boolean
  /** Undefined if the file cannot be parsed. */
  value: Record<string, unknown> | undefined
}

/** Adds every finding about the file `name` of a folder. */
export function validateJson(
  from: EvidenceFolder,
  name: string,
  rules: FileRules,
  scope: Scope,
): FileResult {
  const read = readJsonArtifact(from, name)
  if (read.failure !== undefined) {
    if (read.failure === 'missing') return { present: false, value: undefined }
    if (read.failure === 'invalid') scope.error('ZCL_E_INVALID_JSON', read.reason, name)
    else if (read.failure === 'too_large') scope.error('ZCL_E_BOUNDS', 'it is too large', name)
    else if (read.failure === 'too_deep') scope.error('ZCL_E_BOUNDS', 'it nests too deep', name)
    else reportUnreadable(read, scope, name)
    return { present: true, value: undefined }
  }
  const { value, bytes } = read
  const location = { name, prefix: '' }
  if (rules.maxBytes !== undefined && bytes.length > rules.maxBytes) {
    const message = `the file has ${bytes.length} bytes, at most ${rules.maxBytes} are allowed`
    scope.error('ZCL_E_BOUNDS', message, name)
  }
  withinDepth(scope, 'it ', name, () => {
    if (rules.schema !== undefined) checkSchema(rules.schema, value, scope, location)
    if (rules.ids !== undefined) checkIds(value, rules.ids, scope, location, false)
    rules.check?.(value, scope, location)
    if (mayHoldSecret(bytes.toString('utf8'))) checkSecrets(value, scope, location)
  })
  return { present: true, value }
}
