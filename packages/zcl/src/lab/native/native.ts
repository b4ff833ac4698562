// Native runners: zcl itself speaks the protocol of an agent. The command tree and the schema of campaigns
// load this file.
import type { Launcher } from '../../programs/programs.ts'

export const approvalPolicies = ['never', 'on-request', 'untrusted'] as const
export const approvalAnswers = ['accept', 'decline'] as const
export const sandboxModes = ['read-only', 'workspace-write', 'danger-full-access'] as const

export interface CodexRunnerSettings {
  model?: string | undefined
  effort?: string | undefined
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
  const { model, effort, approvalPolicy, approvals, sandbox, noFeedback } = settings
  const flags = {
    model,
    effort,
    'approval-policy': approvalPolicy,
    approvals,
    sandbox,
    'min-start-interval-ms': settings.minStartIntervalMs?.toString(),
  }
  return [
    ...[node, script, 'codex-app-server'],
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    ),
    ...(noFeedback === true ? ['--no-feedback'] : []),
  ]
}
