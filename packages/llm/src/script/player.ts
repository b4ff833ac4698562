// Plays a screenplay: one response per request, with its delays and failures.
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { fileError, oneLine, ZeeError } from '@zee/core/errors'
import { apiError, httpStatusError, ModelError, streamError } from '../errors/errors.ts'
import { endOfToolCall, type ModelEvent, type ModelRequest } from '../request/request.ts'
import type { Sleep } from '../retry/retry.ts'
import { leavesTurn, findPosition } from './position.ts'
import { fillText, fillValue } from './quote.ts'
import { parseScreenplay, type Response, type Screenplay } from './screenplay.ts'
import type { Step, ToolStep } from './step.ts'

export interface Player {
  /** Plays the next response for this request; each call consumes one. */
  play(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly ModelEvent[]>
}

interface Scene {
  play: Screenplay
  response: Response
  turns: number
  request: ModelRequest
  signal: AbortSignal
  sleep: Sleep
}

export function createPlayer(provider: string, sleep: Sleep, cwd = '.'): Player {
  const screenplays = new Map<string, Promise<Screenplay>>()
  const played = new Map<string, Set<Response>>()

  async function loadScreenplay(file: string): Promise<Screenplay> {
    const screenplay = screenplays.get(file) ?? readScreenplay(file, cwd)
    screenplays.set(file, screenplay)
    try {
      return await screenplay
    } catch (error) {
      // Read again by the next request, so that the file can be repaired while a chat is open.
      screenplays.delete(file)
      throw asModelError(error)
    }
  }

  async function* next(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ModelEvent[]> {
    const play = await loadScreenplay(request.model)
    const positionKey = (turns: number): string => `${turns} ${play.file}`
    const { turns, response } = findPosition(
      play,
      request.messages,
      (turns, response) => played.get(positionKey(turns))?.has(response) ?? false,
    )
    if (response === undefined) throw scriptOverError(play, turns)
    if (!leavesTurn(response)) {
      const key = positionKey(turns)
      played.set(key, (played.get(key) ?? new Set()).add(response))
    }
    yield* perform({ play, response, turns, request, signal, sleep }, provider)
  }

  return { play: next }
}

async function readScreenplay(file: string, cwd: string): Promise<Screenplay> {
  let text: string
  try {
    // `fs/promises` and its threads would cost a short run 2 ms.
    text = readBoundedFile(path.resolve(cwd, file), { maxBytes: 256 << 20 }).toString('utf8')
  } catch (error) {
    throw fileError('read screenplay', file, error)
  }
  return parseScreenplay(text, oneLine(file))
}

function asModelError(error: unknown): unknown {
  if (!(error instanceof ZeeError)) return error
  return new ModelError('internal', error.message, { code: error.code, cause: error })
}

function scriptOverError({ file }: Screenplay, turns: number): ModelError {
  return new ModelError(
    'internal',
    `The screenplay ${file} is over: it has no response left after ${turns} in this session ` +
      '(add steps to it, or start a new session)',
    { code: 'script_over' },
  )
}

async function* perform(scene: Scene, provider: string): AsyncGenerator<readonly ModelEvent[]> {
  const { response, signal, sleep } = scene
  let calls = 0
  let thinking = ''
  for (const step of response.steps) {
    if (step.type !== 'usage' && step.delayMs > 0) await sleep(step.delayMs, signal)
    signal.throwIfAborted()
    const endsThinking = step.type !== 'thinking' && thinking !== ''
    if (endsThinking) {
      yield [{ type: 'thinking_end', part: { type: 'thinking', text: thinking, provider } }]
      thinking = ''
    }
    if (step.type === 'tool') calls++
    const events = locateFault(scene, () => stepEvents(step, scene, calls))
    for (const event of events) if (event.type === 'thinking') thinking += event.text
    yield events
  }
  yield await finishResponse(scene, calls)
}

/** Runs `work`; adds file and line to an error, because the fault is in the screenplay. */
function locateFault<T>({ play, response }: Scene, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ModelError('internal', `${play.file}:${response.line}: ${reason}`, {
      code: 'screenplay',
    })
  }
}

function stepEvents(step: Step, { request, turns }: Scene, calls: number): ModelEvent[] {
  switch (step.type) {
    case 'text':
    case 'thinking': {
      const text = fillText(step.text, request)
      return text === '' ? [] : [{ type: step.type, text }]
    }
    case 'tool':
      return callEvents(step, request, `script_${turns + 1}_${calls}`)
    case 'usage':
      return [{ type: 'usage', usage: step.usage }]
  }
}

function callEvents(step: ToolStep, request: ModelRequest, id: string): ModelEvent[] {
  const json = step.args ?? JSON.stringify(fillValue(step.input, request))
  return [
    { type: 'tool_call_start', id, name: step.name },
    { type: 'tool_call_args', id, json },
    endOfToolCall(id, step.name, json),
  ]
}

async function finishResponse(
  { response, signal, sleep }: Scene,
  calls: number,
): Promise<ModelEvent[]> {
  const { outcome } = response
  if (outcome.type === 'end') {
    return [{ type: 'stop', reason: outcome.stop ?? (calls > 0 ? 'tool_use' : 'end') }]
  }
  const delayMs = outcome.type === 'cut' ? outcome.delayMs : outcome.error.delayMs
  if (delayMs > 0) await sleep(delayMs, signal)
  if (outcome.type === 'cut') throw streamError('the connection was lost, as scripted')
  const { status, message, errorType: type, retryAfterMs } = outcome.error
  if (status === undefined) throw apiError({ type, message })
  throw httpStatusError(status, JSON.stringify({ error: { type, message } }), retryAfterMs)
}
