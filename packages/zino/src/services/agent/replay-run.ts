// Plays a recorded run again with the current code: recorded answers of the model, recorded results of the
// tools. Runs no tool and asks no model. Reports what differs.
import { ZeeError } from '@zee/core/errors'
import type { Allow } from '../../allow/allow.ts'
import { notAllowedCode } from '../../client/client.ts'
import type { Definitions } from '../../definitions/definitions.ts'
import type { RecordedCall, RecordedInference, RunRecords } from '../../turns/turns.ts'
import type { Backends, Execution, ModelAnswer } from './backends.ts'
import { runLoop } from './loop.ts'
import { hashMessages } from './message-hash.ts'
import { RunJournal } from './run-journal.ts'
import { recordedStepResult } from './sub-agent.ts'

export interface ReplayDifference {
  in: 'context' | 'calls' | 'text'
  text: string
}

/** The records end here: the run had failed at this point. */
const endCode = 'end_of_records'
const noLimit = 1_000_000
const idle = async () => {}

export async function replayRun(
  records: RunRecords,
  definitions: Definitions,
  allows: readonly Allow[],
): Promise<ReplayDifference[]> {
  const differences: ReplayDifference[] = []
  const note = (kind: ReplayDifference['in'], text: string) => {
    differences.push({ in: kind, text })
  }
  const journal = new RunJournal(undefined)
  const { end } = records
  try {
    const replayed = await runLoop({
      messages: [],
      maxIterations: end?.limit === 'iterations' ? end.iterations : noLimit,
      stream: false,
      definitions,
      backends: recordedBackends(records, () => journal.calls.length - 1, note),
      allows,
      journal,
      signal: new AbortController().signal,
      onText: idle,
      events: { onStart: idle, onDone: idle },
    })
    if (end === undefined) note('text', 'the recorded run has failed; now it ends')
    else if (replayed.transcript !== end.transcript) note('text', 'the answer differs')
    else if (replayed.iterations !== end.iterations)
      note('text', 'the number of iterations differs')
  } catch (error) {
    const isEnd = error instanceof ZeeError && error.code === endCode
    if (!isEnd || end !== undefined) note('text', `the run fails: ${String(error)}`)
  }
  compareCalls(records.calls, journal.calls, note)
  return differences
}

type Note = (kind: ReplayDifference['in'], text: string) => void

/** `callNow` is the number of the call that is being replayed. */
function recordedBackends(records: RunRecords, callNow: () => number, note: Note): Backends {
  const ofSkills = records.inferences
    .filter(({ purpose }) => purpose !== 'answer')
    .filter((each, at, all) => !isRepeated(each, all[at + 1]))
  let iteration = 0
  return {
    infer: (messages, _stream, purpose) => {
      if (purpose !== 'answer') {
        // Older recordings do not name the call.
        const isNext = (ofSkills[0]?.call ?? callNow()) === callNow()
        const inference = isNext ? ofSkills.shift() : undefined
        if (inference === undefined) throw failureOf(records.calls[callNow()])
        return playInference(inference, inference.text, messages, `${purpose} of a skill`, note)
      }
      iteration += 1
      const inference = records.inferences.findLast((each) => each.iteration === iteration)
      const text = inference?.text ?? textOfCalls(records, iteration)
      if (text === undefined) throw endOf(records)
      return playInference(inference, text, messages, `iteration ${iteration}`, note)
    },
    execute: async (execution) => {
      const result = recordedResult(records, execution, callNow(), note)
      return { type: 'result', exit_code: 0, stdout: result, stderr: '' }
    },
  }
}

/** A resumed turn asks the interpreter again when the fabricator was lost. */
function isRepeated(inference: RecordedInference, next: RecordedInference | undefined): boolean {
  return (
    inference.purpose === 'interpreter' &&
    next?.purpose === 'interpreter' &&
    next.call === inference.call
  )
}

const pipelineError = /^Skill pipeline error: ([^]*)$/

/** What the recorded task failed with. */
function failureOf(call: RecordedCall | undefined): ZeeError {
  const reason = pipelineError.exec(call?.result ?? '')?.[1]
  return new ZeeError(endCode, reason ?? 'the records end here')
}

/** The refusal that ended the run, if one did. */
function endOf({ end }: RunRecords): ZeeError {
  if (end?.limit?.startsWith('[') === true) return new ZeeError(notAllowedCode, end.limit)
  return new ZeeError(endCode, 'the records end here')
}

function playInference(
  inference: RecordedInference | undefined,
  text: string | undefined,
  messages: readonly object[],
  where: string,
  note: Note,
): ModelAnswer {
  if (text === undefined) throw new ZeeError(endCode, 'the records end here')
  if (inference !== undefined && hashMessages(messages) !== inference.added) {
    note('context', `${where}: the model would be asked something else`)
  }
  async function* pieces(): AsyncGenerator<string> {
    yield text as string
  }
  const { tokens, model, provider, truncated = false } = inference ?? {}
  return { text: pieces(), facts: () => ({ truncated, tokens, model, provider }) }
}

/** The answer of an iteration that a crash interrupted: what was recorded of it. */
function textOfCalls({ calls, tails }: RunRecords, iteration: number): string | undefined {
  const own = calls.filter((call) => call.iteration === iteration)
  if (own.length === 0) return undefined
  const blocks = own.map(({ lead, tag, content }) => `${lead}<${tag}>${content}</${tag}>`)
  return blocks.join('') + (tails.get(iteration) ?? '')
}

/** The text that the model received, complete already. */
function recordedResult(
  { calls }: RunRecords,
  { call: number, executor, code }: Execution,
  callNow: number,
  note: Note,
): string {
  const isOfSubAgent = number !== callNow
  const step = isOfSubAgent ? recordedStepResult(calls, number) : undefined
  if (isOfSubAgent && step === undefined) throw failureOf(calls[callNow])
  const recorded = isOfSubAgent ? step?.execution : calls[number]?.execution
  if (recorded !== undefined && (recorded.executor !== executor || recorded.code !== code)) {
    const where = isOfSubAgent ? `call ${callNow}, in its sub-agent` : `call ${number}`
    note('calls', `${where}: another script would run`)
  }
  return step?.text ?? calls[number]?.result ?? ''
}

function compareCalls(
  recorded: readonly RecordedCall[],
  replayed: readonly RecordedCall[],
  note: Note,
): void {
  if (recorded.length !== replayed.length) {
    note('calls', `${recorded.length} calls were recorded, now there are ${replayed.length}`)
  }
  for (const [number, call] of replayed.entries()) {
    const before = recorded[number]
    if (before === undefined) break
    const isSame = before.tag === call.tag && before.content === call.content
    if (!isSame) note('calls', `call ${number}: the model would call something else`)
    else if (before.result !== undefined && call.result !== before.result) {
      note('calls', `call ${number}: the model would receive another result`)
    }
  }
}
