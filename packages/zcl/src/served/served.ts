// Answers of recorded attempts instead of real tools. A fork and `--serve-trace` answer every call of an
// agent from a trace; a patch replaces one answer.
import { promises } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { isObject, parseObject } from '@zee/core/json'
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import { labArtifactName } from '@zee/evidence/layout'
import { zclError } from '../errors/errors.ts'
import { readAnswers, type RecordedCalls, type ServedAnswer } from './answers.ts'
import type { Patch } from './patch.ts'
import { neutralText } from './questions.ts'
import { FileState, MemoryState, type ServedState } from './state.ts'

export { readFunnelCalls } from './answers.ts'
export type { FunnelRecord, ServedAnswer } from './answers.ts'
export { httpAnswer, patchFits, parsePatch, type HttpAnswer, type Patch } from './patch.ts'
export { cliQuestion, httpQuestions, mcpQuestion } from './questions.ts'
export { countServed, type ServedCounts } from './state.ts'

/** Names a serve plan, or the folder of an attempt, for every funnel of an agent; see also run/command.ts. */
export const serveVariable = 'ZCL_SERVE_TRACE'

/** What a fork serves; a JSON file that all funnels of the attempt read. */
export interface ServePlan {
  schemaVersion: 1
  /** The folder of the attempt whose answers are served. */
  source: string
  /** Attempts that answer what the source was never asked. */
  others: readonly string[]
  /** The call whose answer is replaced: 1-based, among the calls of funnels. */
  at?: number
  patch?: Patch
  /** Whether calls after the patched one, and calls that no trace holds, run for real. */
  live: boolean
}

/** In the folder of an attempt: the journal of its served calls, shared by its funnels. */
export const servedFileName = labArtifactName.served

/** The plan that `name` stands for: a plan file, or an attempt folder that is served as it is. */
export async function readServePlan(name: string, cwd: string): Promise<ServePlan> {
  const file = path.resolve(cwd, name)
  const stats = await promises.stat(file).catch(() => undefined)
  if (stats?.isDirectory() === true) {
    return { schemaVersion: 1, source: file, others: [], live: false }
  }
  const plan =
    stats === undefined ? undefined : parseObject(readBoundedText(file, { maxBytes: 64 << 20 }))
  if (plan === undefined || typeof plan.source !== 'string' || !Array.isArray(plan.others)) {
    throw zclError('ZCL_E_USAGE', `${name} is neither an attempt nor a plan of zcl fork`)
  }
  if (plan.patch !== undefined && !isObject(plan.patch)) {
    throw zclError('ZCL_E_USAGE', `${name}: its patch is not an object`)
  }
  return plan as unknown as ServePlan
}

export class ServedTrace {
  readonly #plan: ServePlan
  readonly #own: RecordedCalls
  readonly #others: RecordedCalls
  readonly #state: ServedState

  constructor(plan: ServePlan, own: RecordedCalls, others: RecordedCalls, state: ServedState) {
    this.#plan = plan
    this.#own = own
    this.#others = others
    this.#state = state
  }

  /** The answer to the next call. `questions` are alternatives, the most precise one first. */
  async answer(
    questions: readonly string[],
    identity: AttemptIdentity | undefined,
  ): Promise<ServedAnswer> {
    const keys = questions.map((question) => neutralText(question, identity))
    return this.#state.next(keys[0] ?? '', (earlier, isPatched) => {
      if (this.#plan.live && isPatched) return { kind: 'live' }
      const found = this.#find(keys, earlier)
      if (found === undefined) return { kind: this.#plan.live ? 'live' : 'unrecorded' }
      const isPatchedCall = found.calls === this.#own && found.number === this.#plan.at
      return { ...found.answer, patch: isPatchedCall ? (this.#plan.patch ?? {}) : undefined }
    })
  }

  #find(keys: readonly string[], earlier: number) {
    for (const calls of [this.#own, this.#others]) {
      for (const key of keys) {
        const call = calls.at(key, earlier)
        if (call === undefined) continue
        const { event, folder, number } = call
        return { calls, number, answer: { kind: 'recorded' as const, event, folder } }
      }
    }
    return undefined
  }
}

/** Reads the traces of a plan. Without a journal, the state lives as long as the object. */
export async function openServed(
  plan: ServePlan,
  redactor: Redactor,
  stateFile?: string,
): Promise<ServedTrace> {
  const own = await readAnswers([plan.source], redactor)
  const others = await readAnswers(plan.others, redactor)
  const state = stateFile === undefined ? new MemoryState() : new FileState(stateFile)
  return new ServedTrace(plan, own, others, state)
}
