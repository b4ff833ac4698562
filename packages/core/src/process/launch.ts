// The one place that starts a child: no shell, a session of its own, an explicit environment,
// real pipes where the system has them.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { systemClock } from '../clock/clock.ts'
import { ProcessGroup } from './group.ts'
import type { PipeEnd } from './output-source.ts'
import { orderPipes, type PipeDirection, type PipeOrder, type RealPipe } from './pipes.ts'
import { badFormat, explainFailure, type StartFailure } from './start-failure.ts'
import type { CommandSpec, ProcessEnd, Stdio } from './types.ts'

export interface LaunchSpec extends CommandSpec {
  stdio: readonly [stdin: Stdio, stdout: Stdio, stderr: Stdio]
}

export interface Launched {
  group: ProcessGroup
  /** Our ends of those that were asked for as pipes. */
  ends: readonly [PipeEnd | undefined, PipeEnd | undefined, PipeEnd | undefined]
  exited: Promise<ProcessEnd>
  /** From now on the child does not keep the event loop alive. */
  unref(): void
  failure?: undefined
}

export type LaunchResult = Launched | { failure: ProcessEnd }

export async function launch(spec: LaunchSpec): Promise<LaunchResult> {
  const startedAt = systemClock.monotonicMs()
  const order = pipeOrder(spec)
  const refusal = badFormat(spec)
  if (refusal !== undefined) {
    order?.cancel()
    return { failure: notStarted(refusal, startedAt) }
  }
  const pipes = await order?.take()
  let child: ChildProcess
  try {
    child = spawn(spec.command, spec.args, {
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      env: spec.env,
      detached: true,
      stdio: childStdio(spec.stdio, pipes),
    })
  } catch (error) {
    closeOurEnds(pipes)
    return { failure: notStarted(explainFailure(spec, error), startedAt) }
  } finally {
    for (const pipe of pipes ?? []) closeSync(pipe.childEnd)
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.on('error', resolve))
    closeOurEnds(pipes)
    return { failure: notStarted(explainFailure(spec, error), startedAt) }
  }
  const group = new ProcessGroup(child.pid)
  return {
    group,
    ends: ourEnds(spec.stdio, child, pipes),
    exited: end(child, group, startedAt),
    unref: () => child.unref(),
  }
}

function notStarted(failure: StartFailure, startedAt: number): ProcessEnd {
  return { ...failure, durationMs: systemClock.monotonicMs() - startedAt }
}

function pipeOrder({ pipes, stdio }: LaunchSpec): PipeOrder | undefined {
  if (pipes === 'sockets') return undefined
  return typeof pipes === 'object' ? pipes : orderPipes(pipeDirections(stdio))
}

function pipeDirections(stdio: LaunchSpec['stdio']): PipeDirection[] {
  const directions: PipeDirection[] = []
  for (const [index, wish] of stdio.entries()) {
    if (wish === 'pipe') directions.push(index === 0 ? 'in' : 'out')
  }
  return directions
}

function childStdio(stdio: LaunchSpec['stdio'], pipes: RealPipe[] | undefined): StdioOptions {
  let next = 0
  return stdio.map((wish) => {
    if (wish === 'pipe') return pipes?.[next++]?.childEnd ?? 'pipe'
    if (wish === 'null') return 'ignore'
    return wish === 'inherit' ? 'inherit' : wish.fd
  })
}

function ourEnds(
  stdio: LaunchSpec['stdio'],
  child: ChildProcess,
  pipes: RealPipe[] | undefined,
): Launched['ends'] {
  let next = 0
  const [stdin, stdout, stderr] = stdio.map((wish, index): PipeEnd | undefined => {
    if (wish !== 'pipe') return undefined
    const pipe = pipes?.[next++]
    return pipe === undefined ? { socket: child.stdio[index] as Socket } : { fd: pipe.ourEnd }
  })
  return [stdin, stdout, stderr]
}

function closeOurEnds(pipes: RealPipe[] | undefined): void {
  for (const pipe of pipes ?? []) closeSync(pipe.ourEnd)
}

function end(child: ChildProcess, group: ProcessGroup, startedAt: number): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.on('error', () => {})
    child.on('exit', (code, signal) => {
      group.leaderEnded()
      const durationMs = systemClock.monotonicMs() - startedAt
      if (signal === null) {
        resolve({ outcome: 'exited', exitCode: code ?? 0, durationMs })
        return
      }
      // Loaded when there is need: most children end by themselves.
      const signalNumber = process.getBuiltinModule('node:os').constants.signals[signal]
      resolve({ outcome: 'signalled', signal, signalNumber, durationMs })
    })
  })
}
