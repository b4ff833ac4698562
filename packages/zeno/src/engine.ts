// What zeno needs of the engine that finds text, and how it is opened.
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'

export type Result = Record<string, unknown> & { metrics: Record<string, unknown> }

export interface Engine {
  /** Rejects with a ZeeError whose message is for the client. */
  run(op: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Result>
  close(): Promise<void>
}

export interface EngineOptions {
  /** Absolute. */
  root: string
  /** Files that are never listed or searched, such as the server's own trace; absolute. */
  omit?: readonly string[]
  clock: Clock
}

export async function openEngine(_options: EngineOptions): Promise<Engine> {
  throw new ZeeError('todo', 'no engine yet')
}
