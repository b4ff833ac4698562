// The events of a sample of Inspect. Its messages may lack calls: a solver may forget them, an agent may
// compact them, and a sample may end with an error.
import { asObject, asText } from '../json/json.ts'
import { contentText } from '../runners/runners.ts'
import { countUnmapped, objectsIn, say } from './imported.ts'
import type { ImportedAttempt, ImportedCall } from './imported.ts'

type Loose = Readonly<Record<string, unknown>>

export interface SampleEvents {
  all: readonly Loose[]
  /** Events of tools by the ids of their calls. */
  tools: ReadonlyMap<string, Loose>
  /** Ids of calls that the messages have. */
  told: Set<string>
  /** The text; long ones are kept apart as attachments. */
  text(text: string): string
}

export function sampleEvents(sample: Loose): SampleEvents {
  const all = objectsIn(sample.events)
  const tools = all.filter(({ event }) => event === 'tool')
  const attachments = asObject(sample.attachments)
  return {
    all,
    tools: new Map(tools.map((event) => [asText(event.id), event])),
    told: new Set(),
    text: (text) =>
      text.replace(/attachment:\/\/([0-9a-f]{32})/g, (reference, hash: string) =>
        Object.hasOwn(attachments, hash) ? asText(attachments[hash]) : reference,
      ),
  }
}

/** Adds the calls that the messages do not have; without answers, what the model said, too. */
export function addEventCalls(
  attempt: ImportedAttempt,
  events: SampleEvents,
  { hasAnswer }: { hasAnswer: boolean },
): void {
  const isNested = nestingOf(events.all)
  const told = [...attempt.calls]
  for (const event of events.all) {
    if (event.event === 'model' && !hasAnswer && !isNested(event)) sayAnswer(attempt, event, events)
    if (event.event !== 'tool' || events.told.has(asText(event.id))) continue
    // One action is one call: those of an agent within a tool belong to the call of the tool.
    if (isNested(event)) countUnmapped(attempt, 'call within a tool')
    else attempt.calls.push(callOf(event, events))
  }
  if (attempt.calls.length > told.length) sortCalls(attempt, told)
}

/** Whether an event happened within a tool. */
function nestingOf(all: readonly Loose[]): (event: Loose) => boolean {
  const spans = new Map(
    all.filter(({ event }) => event === 'span_begin').map((event) => [asText(event.id), event]),
  )
  const nested = new Map<string, boolean>()
  return ({ event, span_id: own }) => {
    // The span of a tool contains its own event.
    let id = asText(own)
    if (event === 'tool' && spans.get(id)?.type === 'tool') id = asText(spans.get(id)?.parent_id)
    const above: string[] = []
    let isNested = false
    while (id !== '' && !above.includes(id) && above.length < maxSpanDepth) {
      const known = nested.get(id) ?? (spans.get(id)?.type === 'tool' ? true : undefined)
      if (known !== undefined) isNested = known
      if (known !== undefined) break
      above.push(id)
      id = asText(spans.get(id)?.parent_id)
    }
    for (const each of above) nested.set(each, isNested)
    return isNested
  }
}

const maxSpanDepth = 100

function sayAnswer(attempt: ImportedAttempt, event: Loose, { text }: SampleEvents): void {
  const ts = asText(event.timestamp)
  const [choice] = objectsIn(asObject(event.output).choices)
  const { content } = asObject(choice?.message)
  for (const part of objectsIn(content)) {
    if (part.type !== 'reasoning') continue
    say(attempt, 'assistant', asText(part.reasoning) || asText(part.summary), {
      ts,
      kind: 'thinking',
    })
  }
  say(attempt, 'assistant', text(contentText(content)), { ts })
}

function callOf(event: Loose, { text }: SampleEvents): ImportedCall {
  const { result, error } = event
  const shown = typeof result === 'number' || typeof result === 'boolean' ? String(result) : ''
  const failed = error !== undefined && error !== null
  return {
    ...timeOf(event),
    tool: 'inspect',
    op: asText(event.function) || 'tool',
    input: event.arguments ?? {},
    output: text(asText(asObject(error).message) || contentText(result) || shown),
    isError: failed || event.failed === true,
  }
}

/** When a tool ran; empty without its event. */
export function timeOf(event: Loose | undefined): Pick<ImportedCall, 'ts' | 'durationMs'> {
  const [ts, end] = [asText(event?.timestamp), asText(event?.completed)]
  const ms = Date.parse(end) - Date.parse(ts)
  return { ts, durationMs: Number.isFinite(ms) ? ms : undefined }
}

/** Sorts the calls by their times, if all have one, and moves the messages with the calls before them. */
function sortCalls(attempt: ImportedAttempt, told: readonly ImportedCall[]): void {
  const { calls, messages } = attempt
  if (told.length === 0 || calls.some(({ ts }) => Number.isNaN(Date.parse(ts)))) return
  calls.sort((a, b) => Date.parse(a.ts) - Date.parse(b.ts))
  const places = new Map(calls.map((call, index) => [call, index]))
  for (const message of messages) {
    const before = told[(message.afterCalls ?? 0) - 1]
    if (before !== undefined) message.afterCalls = (places.get(before) ?? 0) + 1
  }
}
