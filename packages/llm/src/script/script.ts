// A model that plays a screenplay file instead of sending requests: for demos without a network,
// deterministic tests and measurements without cost. Its provider name is `script`.
import type { Model, ModelEvent, ModelRequest } from '../request/request.ts'
import { abortableSleep, withRetries, type OnRetry, type Sleep } from '../retry/retry.ts'
import type { Player } from './player.ts'

interface ScriptModelOptions {
  onRetry?: OnRetry | undefined
  sleep?: Sleep | undefined
  random?: (() => number) | undefined
}

const provider = 'script'

/** `request.model` is the path of the screenplay file. */
export function createScriptModel(options: ScriptModelOptions): Model {
  let player: Promise<Player> | undefined
  const sleep = options.sleep ?? abortableSleep
  const load = async (): Promise<Player> =>
    (await import('./player.ts')).createPlayer(provider, sleep)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { play } = await (player ??= load())
    const retry = { signal, onRetry: options.onRetry, sleep, random: options.random }
    for await (const events of withRetries(() => play(request, signal), retry)) {
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
