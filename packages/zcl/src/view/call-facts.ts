// Reads the calls of a trace for the page, within the page's budget. The output of calls goes into
// separate text parts, mostly copied byte for byte from the trace.
import { closeSync } from 'node:fs'
import { parseRfc3339 } from '@zee/core/clock'
import { canonicalJson } from '@zee/core/canonical-json'
import { openIfPresent, type EvidenceFolder } from '@zee/evidence/artifact'
import { artifactName } from '@zee/evidence/layout'
import { isBlank, startedWithin, storedEvent, visitLines } from '@zee/evidence/events'
import type { StoredEvent } from '@zee/evidence/events'
import type { AttemptFacts, CallFacts } from '@zee/web/data'
import { callTitle } from './call-title.ts'
import type { PageBudget } from './page-budget.ts'
import { rawPreviews } from './raw-previews.ts'
import { callsPerPart, type TextParts } from './text-parts.ts'
import { parseObject } from '@zee/core/json'

export type CallReading = Pick<AttemptFacts, 'calls' | 'callsLeftOut' | 'texts'>

/** An event, and a function that writes its previews to the text parts. */
interface ReadEvent {
  event: StoredEvent
  /** The sizes of the stdout and stderr previews; 0 for none. */
  sizes: readonly [number, number]
  put(which: 0 | 1, parts: TextParts): void
}

const maxInputChars = 8 * 1024

export function readCalls(
  attempt: EvidenceFolder,
  budget: PageBudget,
  parts: TextParts,
): CallReading {
  const reading: CallReading = {
    calls: [],
    callsLeftOut: 0,
    texts: { first: parts.next(), callsPerPart },
  }
  const opened = openIfPresent(attempt, artifactName.trace)
  if (opened === undefined) return reading
  const clock = new AttemptClock()
  const family = new Family()
  try {
    visitLines(opened.descriptor, {
      line(bytes, start, end, number, isText) {
        if (!isText || isBlank(bytes, start, end)) return
        const read = rawEvent(bytes, start, end) ?? parsedEvent(bytes, start, end)
        if (read === undefined) return
        if (budget.reserveCall()) {
          const call = addCall(read, number, clock, budget, parts)
          reading.calls.push(call)
          family.add(call, bytes, start, end)
        } else reading.callsLeftOut++
      },
      oversize() {},
    })
  } finally {
    closeSync(opened.descriptor)
  }
  parts.close()
  family.link()
  return reading
}

/** The fast path for lines of the CLI funnel: previews are copied without parsing. */
function rawEvent(bytes: Buffer, start: number, end: number): ReadEvent | undefined {
  const raw = rawPreviews(bytes, start, end)
  if (raw === undefined) return undefined
  const { head, outBytes, errBytes, isTruncated, redactions } = raw
  // Reuses the parsed head as the event: copying tens of thousands of objects is measurable.
  head.io = { outBytes, errBytes }
  head.redactionsApplied = redactions
  head.integrity = { truncated: isTruncated }
  const spans = [raw.out, raw.err] as const
  return {
    event: storedEvent(head, 0),
    sizes: [spans[0].to - spans[0].from, spans[1].to - spans[1].from],
    put: (which, parts) => parts.copy(bytes, spans[which].from, spans[which].to),
  }
}

function parsedEvent(bytes: Buffer, start: number, end: number): ReadEvent | undefined {
  const record = parseObject(bytes.toString('utf8', start, end))
  if (record === undefined || (record.v !== undefined && record.v !== 1)) return undefined
  const event = storedEvent(record, 0)
  const texts = [event.outPreview, event.errPreview] as const
  return {
    event,
    sizes: [texts[0].length, texts[1].length],
    put: (which, parts) => parts.write(JSON.stringify(texts[which])),
  }
}

/** Ids are near the end of a line, so that they are found without parsing it. */
const idTailBytes = 240
const idPattern =
  /"id":"([\w-]{1,64})"(?:,"parentId":"([\w-]{1,64})")?(?:,"ignored":true)?,"chain":/

/** Links calls with the calls that they are a part of. A parent ends after its parts, so its line comes later. */
class Family {
  readonly #calls = new Map<string, CallFacts>()
  readonly #parts: { call: CallFacts; parentId: string }[] = []

  add(call: CallFacts, bytes: Buffer, start: number, end: number): void {
    const tail = bytes.toString('latin1', Math.max(start, end - idTailBytes), end)
    const [, id, parentId] = idPattern.exec(tail) ?? []
    if (id !== undefined) this.#calls.set(id, call)
    if (parentId !== undefined && parentId !== id) this.#parts.push({ call, parentId })
  }

  link(): void {
    for (const { call, parentId } of this.#parts) {
      const parent = this.#calls.get(parentId)
      if (parent === undefined) continue
      const span = { from: parent.at, to: parent.at + parent.ms, line: parent.line }
      if (startedWithin({ ts: call.at, line: call.line }, span)) call.parent = parent.line
    }
  }
}

/** Offsets of calls from the first call, in ms; a call without a valid time gets the latest offset. */
class AttemptClock {
  #first = Number.NaN
  #latest = 0

  offsetOf(ts: string): number {
    const time = parseRfc3339(ts)?.getTime() ?? Number.NaN
    if (Number.isNaN(time)) return this.#latest
    if (Number.isNaN(this.#first)) this.#first = time
    this.#latest = Math.max(0, time - this.#first)
    return this.#latest
  }
}

function addCall(
  { event, sizes, put }: ReadEvent,
  line: number,
  clock: AttemptClock,
  budget: PageBudget,
  parts: TextParts,
): CallFacts {
  const { title, isComplete } = callTitle(event)
  let isShort = false
  parts.open()
  for (const which of [0, 1] as const) {
    const hasRoom = sizes[which] > 0 && budget.reserveBytes(sizes[which])
    if (hasRoom) put(which, parts)
    else parts.write('0')
    if (sizes[which] > 0 && !hasRoom) isShort = true
    parts.separate()
  }
  parts.write(isComplete ? '0' : JSON.stringify(inputText(event.input)))
  parts.end()
  return {
    ...callFacts(event, line, clock.offsetOf(event.ts), title),
    ...(isShort ? { short: true } : {}),
  }
}

function callFacts(event: StoredEvent, line: number, at: number, title: string): CallFacts {
  const { tool, op, durationMs: ms, outBytes, errBytes, exitCode, redactionsApplied } = event
  const call: CallFacts = { line, at, ms, tool, op, title }
  if (!event.ok) call.code = event.code ?? 'ZCL_E_TOOL_FAILED'
  if (exitCode !== undefined) call.exit = exitCode
  if (outBytes > 0) call.outBytes = outBytes
  if (errBytes > 0) call.errBytes = errBytes
  if (event.isTruncated) call.cut = true
  if (redactionsApplied.length > 0) call.redactions = [...redactionsApplied]
  return call
}

function inputText(input: StoredEvent['input']): string {
  return canonicalJson(input).slice(0, maxInputChars)
}
