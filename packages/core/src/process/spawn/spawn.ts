// Starts a child and observes its exit. If all its streams are descriptors, as with real pipes, Node's own
// process handle starts it: `node:child_process` loads sockets and streams and compiles them at its first
// spawn, 4 ms of CPU time per start. ADR 15 has the measured gain; ZEE_PROCESS_HANDLE=0 turns this off.
import type { Socket } from 'node:net'
import type { ChildEnvironment } from '../types.ts'
import { HandledChild, ProcessHandle } from './handled-child.ts'
import { NodeChild } from './node-child.ts'

export type ChildStream = 'ignore' | 'inherit' | 'pipe' | number

export interface ChildSpec {
  command: string
  args: readonly string[]
  cwd?: string | undefined
  env: ChildEnvironment
  /** In a session of its own. */
  isDetached: boolean
  stdio: readonly ChildStream[]
}

export interface Child {
  /** Undefined if the child did not start. */
  readonly pid: number | undefined
  /** The error, if the child did not start. */
  readonly failure: Promise<unknown> | undefined
  /** Undefined while the child runs. */
  readonly exit: ChildExit | undefined
  /** Our ends of the streams that were requested as pipes. */
  readonly sockets: readonly (Socket | undefined)[]
  onExit(listener: (exit: ChildExit) => void): void
  /** Does nothing once the exit of the child is known: its pid may be reused. */
  kill(signal: NodeJS.Signals): void
  /** Stops the child from keeping the event loop alive. */
  unref(): void
}

export interface ChildExit {
  /** Undefined if a signal ended the child. */
  code: number | undefined
  signal: NodeJS.Signals | undefined
}

/** Never throws: a child that did not start has a `failure`. */
export function spawnChild(spec: ChildSpec): Child {
  if (ProcessHandle === undefined || spec.stdio.includes('pipe')) return new NodeChild(spec)
  const envPairs = environmentPairs(spec.env)
  // A NUL byte would end a text early; `node:child_process` refuses it.
  if (holdsNul([spec.command, spec.cwd ?? '', ...spec.args, ...envPairs]))
    return new NodeChild(spec)
  return new HandledChild(new ProcessHandle(), spec, envPairs)
}

function holdsNul(texts: readonly string[]): boolean {
  return texts.some((text) => text.includes('\0'))
}

function environmentPairs(env: ChildEnvironment): string[] {
  const pairs: string[] = []
  for (const name in env) {
    const value = env[name]
    if (value !== undefined) pairs.push(`${name}=${value}`)
  }
  return pairs
}
