// `zcl fork`: plays an attempt again with recorded answers, replaces one answer, and reports where the
// agent departs from the recording.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { outRootFor } from '../../config/config.ts'
import { resolveAttempt, type AttemptTarget } from '../../attempts/attempts.ts'
import { readText } from '../../input/input.ts'
import { complain, printJson, printLines, pluralize } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { zclError } from '../../errors/errors.ts'
import { parsePatch, patchFits, readFunnelCalls, type Patch } from '../../served/served.ts'
import type { FunnelRecord } from '../../served/served.ts'
import { catchInterrupts, interruptedExitCode } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { openFork, runFork, type ForkPoint, type ForkResult } from './fork.ts'
import { describeFork } from './text.ts'

export interface ForkOptions {
  at: number | undefined
  patch: string | undefined
  each: boolean
  live: boolean
  outRoot: string | undefined
  json: boolean
}

export async function runForkCommand(
  [argument, ...runner]: readonly string[],
  options: ForkOptions,
  call: LabCall,
): Promise<number> {
  const { host } = call
  if (argument === undefined) {
    throw zclError(
      'ZCL_E_USAGE',
      'name an attempt: zcl fork <attemptDir> --at 3 --patch patch.json',
    )
  }
  const target = await resolveAttempt(argument, host, 'original')
  const points = await forkPoints(target.folder, options, host)
  const outRoot = await rootOf(target, options, host)
  const fork = await openFork({ target, outRoot, runner, points: points.length }, call)
  const interrupt = catchInterrupts()
  const results: ForkResult[] = []
  try {
    for (const point of points) {
      if (interrupt.received() !== undefined) break
      results.push(await runFork(fork, point, results.length + 1, interrupt.signal))
    }
  } finally {
    interrupt.detach()
    await fork.lab.workspaces.close()
  }
  printForks(fork.source, fork.runId, results, options, host)
  const signal = interrupt.received()
  if (signal === undefined) return 0
  complain(host, 'ZCL_E_INTERRUPTED', `stopped by ${signal}`)
  return interruptedExitCode(signal)
}

/** The calls to depart from, checked before anything runs. */
async function forkPoints(
  folder: string,
  { at, patch: file, each, live }: ForkOptions,
  host: Host,
): Promise<ForkPoint[]> {
  if (each && at !== undefined) throw usage('--at and --each exclude each other')
  if (each && file === undefined) throw usage('--each needs --patch <file>')
  if (file !== undefined && at === undefined && !each) {
    throw usage('--patch needs --at <call> or --each')
  }
  const patch = file === undefined ? undefined : parsePatch(await readText(file, host.cwd), file)
  const calls: FunnelRecord[] = []
  for await (const call of readFunnelCalls(folder, redactorFor(host))) {
    if (call.number > 0) calls.push(call)
  }
  if (calls.length === 0) {
    const message = `${folder}: its trace holds no call of a command, MCP tool or HTTP service`
    throw zclError('ZCL_E_MISSING_EVIDENCE', message)
  }
  if (!each) return [onePoint(calls, at, patch, live)]
  const points = calls.flatMap(({ number, event }) =>
    patch !== undefined && patchFits(patch, event) ? [{ at: number, patch, live }] : [],
  )
  if (points.length === 0) throw usage('the patch fits no call of the attempt')
  return points
}

function onePoint(
  calls: readonly FunnelRecord[],
  at: number | undefined,
  patch: Patch | undefined,
  live: boolean,
): ForkPoint {
  if (at === undefined) return { at, patch, live }
  const call = calls[at - 1]
  if (call === undefined) {
    throw usage(`--at ${at}: the attempt has ${pluralize(calls.length, 'call')}`)
  }
  if (patch !== undefined && !patchFits(patch, call.event)) {
    const { tool } = call.event
    const form = tool === 'cli' ? '{"stdout", "stderr", "exitCode"}' : '{"result"} or {"error"}'
    throw usage(`--at ${at} is a call of ${tool}; its patch is ${form}`)
  }
  return { at, patch, live }
}

/** Forks join the output root of their attempt. */
async function rootOf(
  { runFolder }: AttemptTarget,
  { outRoot }: ForkOptions,
  host: Host,
): Promise<string> {
  const runs = runFolder === undefined ? undefined : path.dirname(runFolder)
  const isRoot = runs !== undefined && path.basename(runs) === 'runs' && existsSync(runs)
  if (outRoot === undefined && isRoot) return path.dirname(runs)
  return (await outRootFor(host, outRoot)).absolute
}

function printForks(
  source: { runId: string; attemptId: string; outcome: string },
  runId: string,
  results: readonly ForkResult[],
  { each, json }: ForkOptions,
  host: Host,
): void {
  if (!json) {
    printLines(host, describeFork(source, runId, results))
    return
  }
  const [only] = results
  const head = { ok: true, runId, source }
  if (each || only === undefined) printJson(host, { ...head, forks: results })
  else printJson(host, { ...head, ...only })
}

function usage(message: string): Error {
  return zclError('ZCL_E_USAGE', `${message} (see 'zcl fork --help')`)
}
