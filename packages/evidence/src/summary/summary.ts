// One pass over a trace for the report: metrics, friction, and a count of unreadable lines.
import { closeSync } from 'node:fs'
import { openArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { FrictionPass } from './friction.ts'
import { MetricsPass } from './metrics.ts'
import { UsageSum } from './model-usage.ts'
import { emptyFacts, factsFromRecord, isBlank, scanEvent, visitLines } from '../events/events.ts'
import { callSpansOf, kindOf, noSpans, readBegins } from '../events/events.ts'
import type { CallFacts, CallSpans, LineVisitor } from '../events/events.ts'
import type { CallLevel } from '../schema/vocabulary.ts'
import { lineHash } from '@zee/core/chain'
import { evidenceError } from '../errors/errors.ts'
import { parseObject } from '@zee/core/json'

export { sortedCounts, type MetricsPass } from './metrics.ts'

/** The result of one pass over the trace. */
export interface TraceSummary {
  present: boolean
  /** Lines that are not blank, readable or not. */
  lines: number
  invalidLines: number
  /** Whether the deadline refused every call before it started. */
  onlyRefusedByDeadline: boolean
  /** SHA-256 of the last line's bytes. */
  root: string | undefined
  metrics: MetricsPass
  friction: FrictionPass
  /** Calls that began and have no event. */
  openCalls: number
  /** Tokens that models reported to the HTTP proxy. */
  usage: UsageSum
}

export interface SummaryOptions {
  /** Whether to throw at the first unreadable line. */
  strict: boolean
  level: CallLevel
}

/** Reads the trace of a folder. */
export function summariseTrace(
  from: EvidenceFolder,
  name: string,
  options: SummaryOptions,
): TraceSummary {
  const first = passOver(from, name, options.strict, noSpans)
  if (first === undefined) return { ...emptyTrace(false), openCalls: readBegins(from).size }
  // Few traces have nested calls, so only those are read again with the spans of their parents.
  if (options.level === 'all' || !first.namesParents) return first.end()
  return (passOver(from, name, options.strict, callSpansOf(from)) ?? first).end()
}

/** Undefined if there is no trace. */
function passOver(
  from: EvidenceFolder,
  name: string,
  strict: boolean,
  parents: CallSpans,
): SummaryPass | undefined {
  const opened = openArtifact(from, name)
  if (opened.failure === 'missing') return undefined
  if (opened.failure === 'io')
    throw evidenceError('ZCL_E_IO', `cannot read ${name}: ${opened.reason}`)
  if (opened.failure !== undefined) {
    throw evidenceError('ZCL_E_CONTAINMENT', `${name} is not a regular file of the run`)
  }
  const pass = new SummaryPass(name, strict, parents, readBegins(from))
  try {
    visitLines(opened.descriptor, pass, opened.size)
  } finally {
    closeSync(opened.descriptor)
  }
  return pass
}

function emptyTrace(present: boolean): TraceSummary {
  return {
    present,
    lines: 0,
    invalidLines: 0,
    onlyRefusedByDeadline: false,
    root: undefined,
    metrics: new MetricsPass(),
    friction: new FrictionPass(),
    openCalls: 0,
    usage: new UsageSum(),
  }
}

/** Whether the deadline refused the call before it started. */
function isRefusedByDeadline(facts: CallFacts): boolean {
  return !facts.ok && facts.code === 'ZCL_E_TIMEOUT' && facts.durationMs === 0
}

/** A cheap check before an event is parsed for its usage. */
const usageKey = ['"usage":{']
const emptyBuffer = Buffer.alloc(0)

class SummaryPass implements LineVisitor {
  /** Whether an event names a parent. */
  namesParents = false
  readonly #summary = emptyTrace(true)
  readonly #facts: CallFacts = emptyFacts()
  readonly #name: string
  readonly #strict: boolean
  /** The current line, for `record()` and `mayContain()` of its facts. */
  #line: { bytes: Buffer; start: number; end: number } = { bytes: emptyBuffer, start: 0, end: 0 }
  readonly #parseLine = () => this.#parseRecord() ?? {}
  readonly #mayContain = (words: readonly string[]) => this.#lineMayContain(words)
  /** The last line that is not blank, in the read buffer or in `#copy`. */
  #last: Buffer | undefined
  #lastStart = 0
  #lastEnd = 0
  #copy = emptyBuffer
  #refused = 0

  readonly #parents: CallSpans
  /** Calls that began; those that are left at the end are open. */
  readonly #begun: Map<string, unknown>

  constructor(name: string, strict: boolean, parents: CallSpans, begun: Map<string, unknown>) {
    this.#name = name
    this.#strict = strict
    this.#parents = parents
    this.#begun = begun
    this.#facts.needsIds = begun.size > 0
  }

  line(bytes: Buffer, start: number, end: number, number: number, utf8: boolean): void {
    if (isBlank(bytes, start, end)) return this.#rejectBlank(number)
    this.#summary.lines++
    this.#last = bytes
    this.#lastStart = start
    this.#lastEnd = end
    const facts = this.#facts
    facts.line = number
    if (!utf8) return this.#countInvalid(number)
    if (!this.#read(bytes, start, end)) return this.#rejectLine(number)
    if (this.#begun.size > 0) this.#begun.delete(facts.id)
    if (facts.parentId !== '') this.namesParents = true
    const { metrics, friction, usage } = this.#summary
    if (facts.tool === 'http' && facts.mayContain?.(usageKey) !== false) usage.add(facts.record())
    const kind = kindOf(facts, this.#parents)
    if (kind !== 'call') return metrics.addApart(facts, kind)
    friction.add(facts, metrics.add(facts))
    if (isRefusedByDeadline(facts)) this.#refused++
  }

  oversize(number: number): void {
    this.#summary.lines++
    this.#countInvalid(number)
  }

  /** Copies the last line, whose hash is the root of the chain. */
  overwritten(): void {
    const last = this.#last
    if (last === undefined || last === this.#copy) return
    const length = this.#lastEnd - this.#lastStart
    if (this.#copy.length < length) this.#copy = Buffer.allocUnsafe(length * 2)
    last.copy(this.#copy, 0, this.#lastStart, this.#lastEnd)
    this.#last = this.#copy
    this.#lastStart = 0
    this.#lastEnd = length
  }

  end(): TraceSummary {
    const summary = this.#summary
    const last = this.#last?.subarray(this.#lastStart, this.#lastEnd)
    if (last !== undefined) summary.root = lineHash(last)
    summary.openCalls = this.#begun.size
    summary.onlyRefusedByDeadline = this.#refused > 0 && this.#refused === summary.metrics.total
    return summary
  }

  #read(bytes: Buffer, start: number, end: number): boolean {
    const facts = this.#facts
    const line = this.#line
    line.bytes = bytes
    line.start = start
    line.end = end
    if (scanEvent(bytes, start, end, facts)) {
      facts.record = this.#parseLine
      facts.mayContain = this.#mayContain
      return true
    }
    const record = this.#parseRecord()
    if (record === undefined || (record.v !== undefined && record.v !== 1)) return false
    factsFromRecord(record, facts)
    return true
  }

  #parseRecord(): Record<string, unknown> | undefined {
    const { bytes, start, end } = this.#line
    return parseObject(bytes.toString('utf8', start, end))
  }

  /** Searches the raw line, which is cheaper than parsing it. */
  #lineMayContain(words: readonly string[]): boolean {
    const { bytes, start, end } = this.#line
    const text = bytes.toString('latin1', start, end).toLowerCase()
    // Letters may be escaped as \uXXXX.
    return words.some((word) => text.includes(word)) || text.includes('\\u')
  }

  #rejectBlank(number: number): void {
    if (this.#strict) this.#fail(number, 'is blank')
  }

  /** In strict mode, an event of another version has its own error code. */
  #rejectLine(number: number): void {
    if (this.#strict && this.#parseRecord() !== undefined) {
      const message = `${this.#name}:${number} has a version that is not supported`
      throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', message)
    }
    this.#countInvalid(number)
  }

  #countInvalid(number: number): void {
    if (this.#strict) this.#fail(number, 'is not an event that can be read')
    this.#summary.invalidLines++
  }

  #fail(number: number, what: string): never {
    throw evidenceError('ZCL_E_INVALID_JSONL', `${this.#name}:${number} ${what}`)
  }
}
