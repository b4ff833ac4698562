// Native runners: zcl itself speaks the protocol of an agent. The command tree and the schema of campaigns
// load this file.
import path from 'node:path'
import type { Launcher } from '../../programs/programs.ts'

const nativeCommand = 'codex-app-server'

export interface CodexRunnerSettings {
  model?: string | undefined
  effort?: string | undefined
  /** `required` refuses to run with another model or effort; `best_effort` is the default. */
  effortPolicy?: string | undefined
  approvalPolicy?: string | undefined
  approvals?: string | undefined
  sandbox?: string | undefined
  /** Time between the starts of two app servers of a run. */
  minStartIntervalMs?: number | undefined
  /** Leave the outcome to the result channel of the run. */
  noFeedback?: boolean | undefined
}

/** The command that runs an attempt with the Codex app server. */
export function codexRunnerCommand(
  { node, script }: Launcher,
  settings: CodexRunnerSettings,
): string[] {
  const { model, effort, effortPolicy, approvalPolicy, approvals, sandbox, noFeedback } = settings
  const flags = {
    model,
    effort,
    'effort-policy': effortPolicy,
    'approval-policy': approvalPolicy,
    approvals,
    sandbox,
    'min-start-interval-ms': settings.minStartIntervalMs?.toString(),
  }
  return [
    ...[node, script, nativeCommand],
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    ),
    ...(noFeedback === true ? ['--no-feedback'] : []),
  ]
}

/** Whether the runner is zcl itself, whose failures are typed lines that no agent writes. */
export function isNativeRunner(command: readonly string[]): boolean {
  const at = command.indexOf(nativeCommand)
  return (at === 1 || at === 2) && /^zcl(?:\.[cm]?js)?$/.test(path.basename(command[at - 1] ?? ''))
}
