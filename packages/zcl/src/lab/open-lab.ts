// Builds the settings that all attempts of a run share from a command's inputs.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { injectVariables } from '../faults/faults.ts'
import { recordedNow } from '../clock/clock.ts'
import { redactorFor } from '../redaction/redaction.ts'
import type { Launcher } from '../programs/programs.ts'
import { outputSink, type Lab } from './attempt/attempt.ts'
import type { PlannedRun } from './plan.ts'
import { sweepWorkspaces, Workspaces } from './workspace/workspace.ts'
import { sweepWitnesses } from './witness/witness.ts'

export interface LabCall {
  host: Host
  launcher: Launcher
}

export interface LabRequest extends PlannedRun, LabCall {
  /** Absolute. */
  outRoot: string
  /** The command as typed; the plan stores it redacted. */
  runner: readonly string[]
  /** Receives what the runners print; stderr by default. */
  openSink?: Lab['openSink']
}

/** Runs `work` with a lab: sweeps what killed workers left, and removes unpacked sources at the end. */
export async function withLab<Result>(
  request: LabRequest,
  work: (lab: Lab) => Promise<Result>,
): Promise<Result> {
  await sweepWorkspaces(request.outRoot)
  sweepWitnesses()
  const lab = openLab(request)
  try {
    return await work(lab)
  } finally {
    await lab.workspaces.close()
  }
}

export function openLab(request: LabRequest): Lab {
  const { host, launcher, outRoot, plan, suite, runner } = request
  const baseFolder = path.resolve(outRoot, plan.suiteDir ?? path.relative(outRoot, host.cwd))
  return {
    outRoot,
    runId: plan.runId,
    suite,
    profile: plan.profile,
    runner,
    launcher,
    redactor: redactorFor(host),
    env: {
      ...host.env,
      ...injectVariables(plan.profile.inject ?? [], plan.profile.injectSeed ?? 0),
    },
    cwd: host.cwd,
    clock: host.clock,
    now: () => recordedNow(host),
    openSink: request.openSink ?? (() => outputSink(host.stderr)),
    baseFolder,
    workspaces: new Workspaces(outRoot, plan.runId, {
      baseFolder,
      env: host.env,
      hidden: plan.suiteFile === undefined ? [] : [path.join(baseFolder, plan.suiteFile)],
    }),
  }
}
