// A model that plays a screenplay file instead of sending requests: for demos without a network,
// deterministic tests and measurements without cost. Its provider name is `script`.
import { systemClock, type Clock } from '@zee/core/clock'
import {
  createAttemptMeter,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from '../request/request.ts'
import { ModelError } from '../errors/errors.ts'
import { abortableSleep, withRetries, type OnRetry, type Sleep } from '../retry/retry.ts'
import type { Player } from './player.ts'

interface ScriptModelOptions {
  /** The folder of screenplays with a relative path. */
  cwd?: string | undefined
  clock?: Clock | undefined
  onRetry?: OnRetry | undefined
  sleep?: Sleep | undefined
  random?: (() => number) | undefined
}

const provider = 'script'

/** `request.model` is the path of the screenplay file. */
export function createScriptModel(options: ScriptModelOptions): Model {
  let player: Promise<Player> | undefined
  const sleep = options.sleep ?? abortableSleep
  const clock = options.clock ?? systemClock
  const load = async (): Promise<Player> =>
    (await import('./player.ts')).createPlayer(provider, sleep, options.cwd)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { play } = await (player ??= load())
    const retry = { signal, onRetry: options.onRetry, sleep, random: options.random }
    const attempt = () => meteredPlay(play(request, signal), request, clock)
    for await (const events of withRetries(attempt, retry)) {
      for (const event of events) yield event
    }
  }

  return {
    provider,
    check() {},
    stream: (request, signal) => stream(request, signal ?? new AbortController().signal),
    close() {},
  }
}

/** Reports scripted failures after the start of an answer like those of a provider. */
async function* meteredPlay(
  play: AsyncIterable<readonly ModelEvent[]>,
  request: ModelRequest,
  clock: Clock,
): AsyncGenerator<readonly ModelEvent[]> {
  const sentBytes = Buffer.byteLength(JSON.stringify(request.messages))
  const meter = createAttemptMeter(request, sentBytes, () => clock.monotonicMs())
  try {
    for await (const events of play) {
      meter.received(events)
      yield events
    }
  } catch (error) {
    if (error instanceof ModelError && error.status !== undefined) meter.refused()
    throw error
  } finally {
    meter.end()
  }
}
