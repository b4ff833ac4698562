// Validates a JSONL artifact line by line in constant memory: trace, notes, captures, or lines of
// which only the form is known.
import { closeSync } from 'node:fs'
import type * as z from 'zod/mini'
import { openArtifact, type ArtifactFailure, type EvidenceFolder } from '../artifact/artifact.ts'
import { checkIds, type ExpectedIds, type FindingLocation } from './rules.ts'
import { ChainCheck, type ChainVerdict, type Seal } from './chain.ts'
import { checkSchema } from './schema.ts'
import type { Scope } from './findings.ts'
import { maxLineBytes } from '../schema/limits.ts'
import { checkSecrets, mayHoldSecret } from './secrets.ts'
import { isBlank, visitLines, type LineVisitor } from '../events/events.ts'
import { parseObject } from '@zee/core/json'

/** What is known about the lines of a stream. */
export interface StreamRules {
  schema: z.ZodMiniType
  ids: ExpectedIds
  check?: (
    value: Record<string, unknown>,
    lineBytes: number,
    scope: Scope,
    place: FindingLocation,
  ) => void
  /** Follows the hash chain as well. */
  chain?: { seal: Seal | undefined }
}

export interface StreamResult {
  present: boolean
  /** Lines that hold something. */
  lines: number
  chain: ChainVerdict | undefined
}

/** Adds every finding about the stream `name` of a folder. */
export function validateStream(
  from: EvidenceFolder,
  name: string,
  rules: StreamRules | undefined,
  scope: Scope,
): StreamResult {
  const opened = openArtifact(from, name)
  if (opened.failure !== undefined) {
    if (opened.failure === 'missing') return { present: false, lines: 0, chain: undefined }
    reportUnreadable(opened, scope, name)
    return { present: true, lines: 0, chain: undefined }
  }
  const pass = new StreamPass(name, rules, scope)
  try {
    visitLines(opened.descriptor, pass)
  } finally {
    closeSync(opened.descriptor)
  }
  return { present: true, lines: pass.lines, chain: pass.chainVerdict() }
}

/** What stands where an artifact should be is not a file of the run. */
export function reportUnreadable(failed: ArtifactFailure, scope: Scope, name: string): void {
  if (failed.failure === 'outside') {
    scope.error('ZCL_E_CONTAINMENT', 'it is a link that leaves the run', name)
  } else if (failed.failure === 'io') {
    scope.error('ZCL_E_IO', `it cannot be read: ${failed.reason}`, name)
  } else scope.error('ZCL_E_CONTRACT', 'it is not a regular file', name)
}

class StreamPass implements LineVisitor {
  lines = 0
  readonly #name: string
  readonly #rules: StreamRules | undefined
  readonly #scope: Scope
  readonly #chain: ChainCheck | undefined

  constructor(name: string, rules: StreamRules | undefined, scope: Scope) {
    this.#name = name
    this.#rules = rules
    this.#scope = scope
    this.#chain = rules?.chain === undefined ? undefined : new ChainCheck(rules.chain.seal)
  }

  chainVerdict(): ChainVerdict | undefined {
    return this.#chain?.verdict()
  }

  line(bytes: Buffer, start: number, end: number, number: number, utf8: boolean): void {
    if (isBlank(bytes, start, end)) {
      if (this.#scope.strict) this.#invalid(number, 'is blank')
      return
    }
    this.lines++
    const line = bytes.subarray(start, end)
    const text = utf8 ? line.toString('utf8') : undefined
    const value = text === undefined ? undefined : parseObject(text)
    if (text === undefined || value === undefined) {
      this.#invalid(number, text === undefined ? 'is not UTF-8' : 'is not a JSON object')
      this.#chain?.add(line, number, undefined, false)
      return
    }
    const chain = typeof value.chain === 'string' ? value.chain : undefined
    this.#chain?.add(line, number, chain, true)
    withinDepth(this.#scope, `line ${number} `, this.#name, () =>
      this.#checkValue(value, text, end - start, number),
    )
  }

  oversize(number: number): void {
    this.lines++
    const message = `line ${number} is longer than ${maxLineBytes} bytes`
    this.#scope.error('ZCL_E_BOUNDS', message, this.#name)
  }

  #checkValue(value: Record<string, unknown>, text: string, bytes: number, number: number): void {
    const place = { name: this.#name, prefix: `line ${number}: ` }
    const rules = this.#rules
    if (rules !== undefined) {
      checkSchema(rules.schema, value, this.#scope, place)
      checkIds(value, rules.ids, this.#scope, place, true)
      rules.check?.(value, bytes, this.#scope, place)
    }
    if (mayHoldSecret(text)) checkSecrets(value, this.#scope, place)
  }

  #invalid(number: number, what: string): void {
    this.#scope.error('ZCL_E_INVALID_JSONL', `line ${number} ${what}`, this.#name)
  }
}

/** Values that nest so deep that looking at them exhausts the stack are no evidence. */
export function withinDepth(scope: Scope, prefix: string, name: string, look: () => void): void {
  try {
    look()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    scope.error('ZCL_E_BOUNDS', `${prefix}nests too deep`, name)
  }
}
