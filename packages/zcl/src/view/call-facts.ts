// The calls of a trace as the page carries them: short names, nothing said twice, within its budget.
// What a call printed goes into parts beside them.
import type { EvidenceFolder } from '@zee/evidence/artifact-file'
import { visitCalls, type CallFacts as TracedCall } from '@zee/evidence/statistics/visit-calls'
import { storedEvent } from '@zee/evidence/trace-events'
import type { AttemptFacts, CallFacts } from '@zee/web/data'
import { callTitle } from './call-title.ts'
import type { PageBudget } from './page-budget.ts'
import { rawPreviews, type RawCall, type Span } from './raw-previews.ts'
import { callsPerPart, type TextParts } from './text-parts.ts'

export type CallReading = Pick<AttemptFacts, 'calls' | 'callsLeftOut' | 'texts'>

interface Line {
  bytes: Buffer
  start: number
  end: number
}

const longestInput = 8 * 1024

export function readCalls(
  attempt: EvidenceFolder,
  budget: PageBudget,
  parts: TextParts,
): CallReading {
  const calls: CallFacts[] = []
  const texts = { first: parts.next(), callsPerPart }
  let callsLeftOut = 0
  let first = Number.NaN
  let latest = 0
  visitCalls(attempt, (traced, bytes, start, end) => {
    if (!budget.takesCall()) {
      callsLeftOut++
      return true
    }
    if (Number.isNaN(first)) first = traced.ts
    // A line without a usable time stands where the one before it stood.
    latest = Number.isNaN(traced.ts) ? latest : Math.max(0, traced.ts - first)
    const raw = rawPreviews(bytes, start, end)
    const line = { bytes, start, end }
    if (raw === undefined) calls.push(parsedCall(traced, latest, line, budget, parts))
    else calls.push(rawCall(traced, latest, raw, line, budget, parts))
    return true
  })
  parts.close()
  return { calls, callsLeftOut, texts }
}

/** The usual line: a command, whose previews pass as they are. */
function rawCall(
  traced: TracedCall,
  at: number,
  raw: RawCall,
  { bytes }: Line,
  budget: PageBudget,
  parts: TextParts,
): CallFacts {
  const { tool, op } = traced
  const input = JSON.parse(traced.input) as Record<string, unknown>
  const { title, isWhole } = callTitle({ tool, op, input })
  const isShort = [raw.out, raw.err].map(
    (span) => span.to > span.from && !budget.takes(span.to - span.from),
  )
  const put = (span: Span, isLeftOut: boolean | undefined): void => {
    if (span.from === span.to || isLeftOut === true) parts.write('0')
    else parts.copy(bytes, span.from, span.to)
  }
  parts.open()
  put(raw.out, isShort[0])
  parts.separate()
  put(raw.err, isShort[1])
  parts.separate()
  parts.write(isWhole ? '0' : JSON.stringify(traced.input.slice(0, longestInput)))
  parts.end()
  const call = basicFacts(traced, at, title)
  if (raw.exit !== undefined) call.exit = raw.exit
  if (raw.isTruncated) call.cut = true
  if (isShort.includes(true)) call.short = true
  if (raw.redactions.length > 0) call.redactions = raw.redactions
  return call
}

function parsedCall(
  traced: TracedCall,
  at: number,
  { bytes, start, end }: Line,
  budget: PageBudget,
  parts: TextParts,
): CallFacts {
  const event = storedEvent(JSON.parse(bytes.toString('utf8', start, end)), 0)
  const { title, isWhole } = callTitle(event)
  const previews = [event.outPreview, event.errPreview]
  const isShort = previews.map((text) => text !== '' && !budget.takes(text.length))
  parts.open()
  for (const [index, text] of previews.entries()) {
    parts.write(text === '' || isShort[index] === true ? '0' : JSON.stringify(text))
    parts.separate()
  }
  parts.write(isWhole ? '0' : JSON.stringify(traced.input.slice(0, longestInput)))
  parts.end()
  const call = basicFacts(traced, at, title)
  if (event.exitCode !== undefined) call.exit = event.exitCode
  if (event.isTruncated) call.cut = true
  if (isShort.includes(true)) call.short = true
  if (event.redactionsApplied.length > 0) call.redactions = [...event.redactionsApplied]
  return call
}

function basicFacts(traced: TracedCall, at: number, title: string): CallFacts {
  const { line, durationMs: ms, tool, op, outBytes, errBytes } = traced
  const call: CallFacts = { line, at, ms, tool, op, title }
  if (!traced.ok) call.code = traced.code === '' ? 'ZCL_E_TOOL_FAILED' : traced.code
  if (outBytes > 0) call.outBytes = outBytes
  if (errBytes > 0) call.errBytes = errBytes
  return call
}
