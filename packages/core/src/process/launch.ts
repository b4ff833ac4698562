// The one place that spawns a child: no shell, own session, explicit environment, real pipes where
// available.
import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { systemClock } from '../clock/clock.ts'
import { currentProcess } from '../identity/identity.ts'
import { markVariable, ProcessGroup } from './group/group.ts'
import type { PipeEnd } from './output-source.ts'
import { preparePipes, type PipeDirection, type PendingPipes, type RealPipe } from './pipes.ts'
import { type Child, type ChildExit, type ChildStream, spawnChild } from './spawn/spawn.ts'
import { badFormat, explainFailure, type StartFailure } from './start-failure.ts'
import type { CommandSpec, ProcessEnd, Stdio } from './types.ts'

export interface LaunchSpec extends CommandSpec {
  stdio: readonly [stdin: Stdio, stdout: Stdio, stderr: Stdio]
}

export interface Launched {
  group: ProcessGroup
  /** Our ends of the streams that were requested as pipes. */
  ends: readonly [PipeEnd | undefined, PipeEnd | undefined, PipeEnd | undefined]
  exited: Promise<ProcessEnd>
  /** Stops the child from keeping the event loop alive. */
  unref(): void
  failure?: undefined
}

export type LaunchResult = Launched | { failure: ProcessEnd }

export async function launch(spec: LaunchSpec): Promise<LaunchResult> {
  const startedAt = systemClock.monotonicMs()
  const pending = pendingPipes(spec)
  const refusal = badFormat(spec)
  if (refusal !== undefined) {
    pending?.cancel()
    return { failure: notStarted(refusal, startedAt) }
  }
  const pipes = await pending?.open()
  const mark = spec.isMarked === true ? newMark() : undefined
  const child = spawnChild({
    command: spec.command,
    args: spec.args,
    cwd: spec.cwd,
    env: mark === undefined ? spec.env : withMark(spec.env, mark),
    isDetached: spec.foreground !== true,
    stdio: childStdio(spec.stdio, pipes),
  })
  for (const pipe of pipes ?? []) closeSync(pipe.childEnd)
  if (child.pid === undefined) {
    const error = await child.failure
    for (const pipe of pipes ?? []) closeSync(pipe.ourEnd)
    return { failure: notStarted(explainFailure(spec, error), startedAt) }
  }
  const group = new ProcessGroup(child.pid, mark)
  return {
    group,
    ends: ourEnds(spec.stdio, child, pipes),
    exited: exitOf(child, group, startedAt),
    unref: () => child.unref(),
  }
}

let marks = 0

/** Unique on this machine: no other process with this pid started in the same tick. */
function newMark(): string {
  const { pid, started } = currentProcess()
  return `${pid}-${started}-${++marks}`
}

function withMark(env: CommandSpec['env'], mark: string): CommandSpec['env'] {
  const outer = env[markVariable] ?? ''
  return { ...env, [markVariable]: outer === '' ? mark : `${outer}:${mark}` }
}

function notStarted(failure: StartFailure, startedAt: number): ProcessEnd {
  return { ...failure, durationMs: systemClock.monotonicMs() - startedAt }
}

function pendingPipes({ pipes, stdio }: LaunchSpec): PendingPipes | undefined {
  if (pipes === 'sockets') return undefined
  return typeof pipes === 'object' ? pipes : preparePipes(pipeDirections(stdio))
}

function pipeDirections(stdio: LaunchSpec['stdio']): PipeDirection[] {
  const directions: PipeDirection[] = []
  for (const [index, stream] of stdio.entries()) {
    if (stream === 'pipe') directions.push(index === 0 ? 'in' : 'out')
  }
  return directions
}

function childStdio(stdio: LaunchSpec['stdio'], pipes: RealPipe[] | undefined): ChildStream[] {
  let next = 0
  return stdio.map((stream) => {
    if (stream === 'pipe') return pipes?.[next++]?.childEnd ?? 'pipe'
    if (stream === 'null') return 'ignore'
    return stream === 'inherit' ? 'inherit' : stream.fd
  })
}

function ourEnds(
  stdio: LaunchSpec['stdio'],
  child: Child,
  pipes: RealPipe[] | undefined,
): Launched['ends'] {
  let next = 0
  const [stdin, stdout, stderr] = stdio.map((stream, index): PipeEnd | undefined => {
    if (stream !== 'pipe') return undefined
    const pipe = pipes?.[next++]
    return pipe === undefined ? { socket: child.sockets[index] as Socket } : { fd: pipe.ourEnd }
  })
  return [stdin, stdout, stderr]
}

function exitOf(child: Child, group: ProcessGroup, startedAt: number): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.onExit(({ code, signal }: ChildExit) => {
      group.leaderEnded()
      const durationMs = systemClock.monotonicMs() - startedAt
      if (signal === undefined) {
        resolve({ outcome: 'exited', exitCode: code ?? 0, durationMs })
        return
      }
      // Loaded lazily: most children exit without a signal.
      const signalNumber = process.getBuiltinModule('node:os').constants.signals[signal]
      resolve({ outcome: 'signalled', signal, signalNumber, durationMs })
    })
  })
}
