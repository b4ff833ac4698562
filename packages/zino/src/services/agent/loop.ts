// The agent loop: calls the model, executes the blocks in its answer, appends the answer with the
// results, and repeats until an answer has no blocks or the iteration limit is reached. Everything done
// is recorded first, so that an interrupted run continues where it was.
import { setImmediate as nextTick } from 'node:timers/promises'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Definitions } from '../../definitions/definitions.ts'
import type { Message } from '../../wire/wire.ts'
import type { Backends } from './backends.ts'
import type { CallEvents } from './execute-interrupt.ts'
import { executeInterrupt } from './execute-interrupt.ts'
import type { Allow } from '../../allow/allow.ts'
import { notAllowedCode } from '../../client/client.ts'
import type { RecordedEnd } from '../../turns/turns.ts'
import { inferenceOf } from './backends.ts'
import { hashMessages } from './message-hash.ts'
import type { RunJournal } from './run-journal.ts'
import type { BlockTag } from './stream-parser.ts'
import { StreamParser } from './stream-parser.ts'
import { TurnText } from './turn-text.ts'

export interface Run {
  messages: readonly Message[]
  maxIterations: number
  /** Requests a streamed answer, so that text and results are forwarded as they arrive. */
  stream: boolean
  definitions: Definitions
  backends: Backends
  /** The capabilities of the turn. */
  allows: readonly Allow[]
  journal: RunJournal
  signal: AbortSignal
  /** Receives the text for the caller: model text and results, never the call blocks. */
  onText(text: string): Promise<void>
  events: CallEvents
}

/** An answer with more calls, or with a longer call, is an error. */
const maxCalls = 128
const maxCallLength = 8 * 1024 * 1024
/** The event loop runs at least this often, so that a disconnect is noticed. */
const maxBusyMs = 20

export async function runLoop(run: Run): Promise<RecordedEnd> {
  const { journal } = run
  const messages = [...run.messages]
  const transcript: string[] = []
  let iterations = 0
  let last = new TurnText()
  let truncated = false
  if (journal.end !== undefined) {
    await replay(run, messages, transcript)
    return journal.end
  }
  for (const text of await replay(run, messages, transcript)) {
    last = text
    iterations += 1
  }
  let limit: string | undefined = 'iterations'
  while (iterations < run.maxIterations) {
    run.signal.throwIfAborted()
    const text = new TurnText()
    try {
      truncated = await runIteration(run, messages, text, iterations + 1)
    } catch (error) {
      limit = limitOf(error)
      if (limit === undefined || iterations === 0) throw error
      const notice = `\n${limit}\n`
      last.addText(notice)
      transcript.push(notice)
      await run.onText(notice)
      break
    }
    iterations += 1
    last = text
    transcript.push(last.joined())
    limit = last.calls === 0 ? undefined : 'iterations'
    if (last.calls === 0) break
    messages.push(last.toMessage())
  }
  const ended = { iterations, truncated, limit }
  const end = { lastText: last.joined(), transcript: transcript.join(''), ...ended }
  journal.endRun(end)
  return end
}

/** The refusal of a capability: a run that has done something ends with it instead of failing. */
function limitOf(error: unknown): string | undefined {
  return error instanceof ZeeError && error.code === notAllowedCode ? reasonOf(error) : undefined
}

/** Repeats the recorded iterations for the caller and finishes the calls that have no result yet. */
async function replay(run: Run, messages: Message[], transcript: string[]): Promise<TurnText[]> {
  const { journal } = run
  const texts: TurnText[] = []
  for (const [number, call] of journal.calls.entries()) {
    const text = (texts[call.iteration - 1] ??= new TurnText())
    text.addText(call.lead)
    await run.onText(call.lead)
    const result = call.result ?? (await finishCall(run, number))
    await run.onText(text.addCall(call.tag, call.content, result))
    if (journal.calls[number + 1]?.iteration === call.iteration) continue
    const tail = journal.tails.get(call.iteration) ?? ''
    text.addText(tail)
    await run.onText(tail)
    messages.push(text.toMessage())
    transcript.push(text.joined())
  }
  if (journal.end !== undefined) await run.onText(restOf(journal.end, transcript.join('')))
  return texts
}

/** The text of the last iteration, which had no calls. */
function restOf({ transcript }: RecordedEnd, replayed: string): string {
  return transcript.slice(replayed.length)
}

async function finishCall(run: Run, number: number): Promise<string> {
  const { text, execution } = await executeInterrupt(run, number)
  run.journal.addResult(number, text, execution)
  return text
}

/** Resolves to whether the answer was cut at the token limit. */
async function runIteration(
  run: Run,
  messages: readonly Message[],
  text: TurnText,
  iteration: number,
): Promise<boolean> {
  const parser = new StreamParser()
  const busy = new BusyClock(run.signal)
  let lead = ''
  const forward = async (piece: string) => {
    lead += piece
    text.addText(piece)
    await run.onText(piece)
  }
  const call = async (tag: BlockTag, content: string) => {
    if (text.calls >= maxCalls) throw tooMuch(`more than ${maxCalls} calls`)
    if (content.length > maxCallLength) throw tooMuch('a call of more than 8 MiB')
    const number = run.journal.addCall({ iteration, lead, tag, content })
    lead = ''
    await run.onText(text.addCall(tag, content, await finishCall(run, number)))
  }
  const handle = async (segments: ReturnType<StreamParser['push']>) => {
    for (const segment of segments) {
      await busy.yieldIfDue()
      if (segment.kind === 'text') await forward(segment.text)
      else await call(segment.tag, segment.content)
    }
  }
  // While a tool runs, further model text waits in the connection, in order.
  const answer = run.backends.infer(messages, run.stream, 'answer')
  let answered = ''
  for await (const piece of answer.text) {
    answered += piece
    await handle(parser.push(piece))
  }
  await handle(parser.end())
  // Hashed late: the request leaves with the first read of its answer.
  const added = hashMessages(messages.slice(run.messages.length))
  run.journal.addInference({ ...inferenceOf('answer', added, answered, answer), iteration })
  if (text.calls > 0) run.journal.endIteration(iteration, lead)
  return answer.facts().truncated
}

function tooMuch(what: string): ZeeError {
  return new ZeeError('answer_too_large', `the answer of the model contains ${what}`)
}

/** Promises alone never let the event loop run: many fast calls would hide a disconnect. */
class BusyClock {
  readonly #signal: AbortSignal
  #since = performance.now()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < maxBusyMs) return
    await nextTick()
    this.#signal.throwIfAborted()
    this.#since = performance.now()
  }
}
