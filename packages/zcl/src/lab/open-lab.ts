// Builds the settings that all attempts of a run share from a command's inputs.
import type { Host } from '@zee/core/exit'
import { recordedNow } from '../clock/clock.ts'
import { redactorFor } from '../redaction/redaction.ts'
import type { Launcher } from '../programs/programs.ts'
import { outputSink, type Lab } from './attempt/attempt.ts'
import type { PlannedRun } from './plan.ts'

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

export function openLab(request: LabRequest): Lab {
  const { host, launcher, outRoot, plan, suite, runner } = request
  return {
    outRoot,
    runId: plan.runId,
    suite,
    profile: plan.profile,
    runner,
    launcher,
    redactor: redactorFor(host),
    env: host.env,
    cwd: host.cwd,
    clock: host.clock,
    now: () => recordedNow(host),
    openSink: request.openSink ?? (() => outputSink(host.stderr)),
  }
}
