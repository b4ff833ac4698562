// Runs turns with a scripted model: its answers, the events of a turn, the lines of its session.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import type { Message, Model, ModelEvent, ModelRequest, Usage } from '@zee/llm'
import { afterEach, beforeEach } from 'vitest'
import type { SessionWriter } from '../session/file.ts'
import { openSession } from '../session/file.ts'
import { defaultTools } from '../tools/tools.ts'
import type { AgentEvent } from './events.ts'
import type { Turn } from './turn.ts'
import { runTurn } from './turn.ts'

let root: string

/** Gives every test of the file a folder of its own; call it once at the top. */
export function useTurnFolder(): void {
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-turn-')))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
}

export const turnFolder = () => root

type Answer = readonly ModelEvent[] | ((signal: AbortSignal) => AsyncIterable<ModelEvent>)

/** A model that returns the answers in order and records its requests. */
export function modelOf(...answers: Answer[]) {
  const requests: ModelRequest[] = []
  const model: Model = {
    provider: 'test',
    check: () => {},
    close: () => {},
    async *stream(request, signal = new AbortController().signal) {
      const { onAbandoned: _unused, ...sent } = request
      requests.push(structuredClone(sent))
      const answer = answers[requests.length - 1] ?? []
      yield* typeof answer === 'function' ? answer(signal) : answer
    },
  }
  return { model, requests }
}

export const text = (...pieces: string[]): ModelEvent[] =>
  pieces.map((piece) => ({ type: 'text', text: piece }))
export const call = (id: string, name: string, input: Record<string, unknown>): ModelEvent[] => [
  { type: 'tool_call_start', id, name },
  { type: 'tool_call_end', id, name, input },
]
export const stop = (reason: 'end' | 'tool_use' | 'max_tokens'): ModelEvent => ({
  type: 'stop',
  reason,
})

export async function take(
  model: Model,
  options: {
    prompt?: string
    signal?: AbortSignal
    history?: Message[]
    onEvent?: () => void
    session?: Partial<SessionWriter>
    /** Further fields of the turn. */
    more?: Partial<Turn>
  } & Pick<Turn, 'gather' | 'around'> = {},
) {
  const events: AgentEvent[] = []
  const history = options.history ?? []
  const session = {
    ...openSession(root, 's', fixedClock('2026-01-02T03:04:05Z')),
    ...options.session,
  }
  const { gather, around } = options
  const turn: Turn = {
    model,
    request: { model: 'm', maxTokens: 10 },
    tools: defaultTools,
    toolContext: { root, timeoutMs: 5000, env: { PATH: process.env.PATH } },
    history,
    prompt: options.prompt ?? 'hi',
    session,
    signal: options.signal ?? new AbortController().signal,
    clock: fixedClock('2026-01-02T03:04:05Z'),
    cost: async ({ outputTokens }: Usage) => outputTokens / 100,
    gather,
    around,
    ...options.more,
  }
  for await (const event of runTurn(turn)) {
    events.push(event)
    options.onEvent?.()
  }
  session.close()
  const last = events.pop()
  if (last?.type !== 'turn_end') throw new Error('a turn did not say that it ended')
  return { events, history, end: last.reason, types: events.map(({ type }) => type) }
}

export function lines(): Record<string, unknown>[] {
  const whole = readFileSync(path.join(root, 's.jsonl'), 'utf8')
  return whole
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
