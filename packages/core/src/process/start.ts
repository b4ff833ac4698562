// Long-lived children, for proxies and supervisors: streams, the exit as a promise, a clean stop.
import type { Readable, Writable } from 'node:stream'
import { launch, type Launched } from './launch.ts'
import type { PipeEnd } from './output-source.ts'
import type { RunningProcess, StartResult, StartSpec } from './types.ts'
import { openSocket } from './pipes.ts'

/** Starts a child in its own session. Never rejects: a failed start is a value. */
export async function startProcess(spec: StartSpec): Promise<StartResult> {
  const launched = await launch({
    ...spec,
    stdio: [spec.stdin ?? 'null', spec.stdout ?? 'pipe', spec.stderr ?? 'pipe'],
  })
  if (launched.failure !== undefined) return { failure: launched.failure }
  return { process: runningProcess(launched, spec.killGraceMs ?? 100) }
}

function runningProcess(launched: Launched, killGraceMs: number): RunningProcess {
  const { group, ends, exited } = launched
  const stdin = writable(ends[0])
  const stdout = readable(ends[1])
  const stderr = readable(ends[2])
  let stopping: Promise<void> | undefined
  return {
    pid: group.pid,
    stdin,
    stdout,
    stderr,
    exited,
    kill: (signal) => group.signal(signal),
    stop() {
      stopping ??= group.stop(killGraceMs)
      return stopping
    },
    release() {
      for (const stream of [stdin, stdout, stderr]) stream?.destroy()
      launched.unref()
    },
  }
}

function readable(end: PipeEnd | undefined): Readable | undefined {
  if (end === undefined) return undefined
  if ('socket' in end) return end.socket
  return openSocket({ fd: end.fd, readable: true, writable: false })
}

/** Swallows EPIPE: a child may exit or close its stdin while the caller writes. */
function writable(end: PipeEnd | undefined): Writable | undefined {
  if (end === undefined) return undefined
  const socket =
    'socket' in end ? end.socket : openSocket({ fd: end.fd, readable: false, writable: true })
  socket.on('error', () => {})
  return socket
}
