// Validates a JSONL artifact line by line in constant memory: trace, notes, captures, or an unknown
// stream of JSON objects.
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

/** The rules for the lines of a stream. */
export interface StreamRules {
  schema: z.ZodMiniType
  ids: ExpectedIds
  check?: (
    value: Record<string, unknown>,
    lineBytes: number,
    scope: Scope,
    location: FindingLocation,
  ) => void
  /** If set, the hash chain is checked. */
  chain?: { seal: Seal | undefined }
}

export interface StreamResult {
  present: boolean
  /** Lines that are not blank. */
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

/** Adds the finding for an artifact that cannot be opened. */
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

  torn(number: number): void {
    const message = `line ${number} was cut off by a crash before it was acknowledged; the next call removes it`
    this.#scope.warning('ZCL_W_CONTRACT', message, this.#name)
  }

  oversize(number: number): void {
    this.lines++
    const message = `line ${number} is longer than ${maxLineBytes} bytes`
    this.#scope.error('ZCL_E_BOUNDS', message, this.#name)
  }

  #checkValue(value: Record<string, unknown>, text: string, bytes: number, number: number): void {
    const location = { name: this.#name, prefix: `line ${number}: ` }
    const rules = this.#rules
    if (rules !== undefined) {
      checkSchema(rules.schema, value, this.#scope, location)
      checkIds(value, rules.ids, this.#scope, location, true)
      rules.check?.(value, bytes, this.#scope, location)
    }
    if (mayHoldSecret(text)) checkSecrets(value, this.#scope, location)
  }

  #invalid(number: number, what: string): void {
    this.#scope.error('ZCL_E_INVALID_JSONL', `line ${number} ${what}`, this.#name)
  }
}

/** Runs a check; a stack overflow from deep nesting becomes a finding. */
export function withinDepth(scope: Scope, prefix: string, name: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    scope.error('ZCL_E_BOUNDS', `${prefix}nests too deep`, name)
  }
}
