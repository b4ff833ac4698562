// The runner command of a flow. `runtimeStrategies` is a chain: the first strategy that this machine can run
// is used.
import path from 'node:path'
import { runnerPresets, type RunnerPreset } from '@zee/evidence/vocabulary'
import { zclError } from '../../../errors/errors.ts'
import { findOnPath, isExecutable, type Launcher } from '../../../programs/programs.ts'
import { codexRunnerCommand } from '../../native/native.ts'
import { presetCommand } from '../../runner-presets.ts'
import type { FlowSpec } from '../campaign.ts'

export interface FlowCommand {
  command: string[]
  /** Strategies that are not available, with the reason. */
  skipped: string[]
}

export interface StrategyContext {
  /** The folder of the specification: programs with a slash in their name are relative to it. */
  folder: string
  launcher: Launcher
  env: Readonly<Record<string, string | undefined>>
}

const processTypes: ReadonlySet<string> = new Set([
  ...['process_cmd', 'codex_exec', 'codex_subagent', 'claude_subagent'],
])

/** Throws if the flow has no command, or no strategy is available. */
export function flowCommand(flow: FlowSpec, context: StrategyContext): FlowCommand {
  const { flowId, runner } = flow
  const chain = runner.runtimeStrategies ?? []
  if (chain.length === 0) {
    const command = commandFor(runner.type ?? 'process_cmd', flow, context)
    if (command.length > 0) return { command, skipped: [] }
    throw zclError('ZCL_E_CAMPAIGN_FLOW_FAILED', `${flowId} has no command`)
  }
  const skipped: string[] = []
  for (const strategy of chain) {
    const reason = whyUnavailable(strategy, flow, context)
    if (reason === undefined) return { command: commandFor(strategy, flow, context), skipped }
    skipped.push(`${strategy}: ${reason}`)
  }
  const message = `${flowId}: no runtime strategy is available (${skipped.join('; ')})`
  throw zclError('ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED', message)
}

/** Whether zcl knows the strategy, wherever it may run. */
export function isKnownStrategy(strategy: string): boolean {
  return strategy === 'codex_app_server' || processTypes.has(strategy) || isPreset(strategy)
}

function whyUnavailable(
  strategy: string,
  flow: FlowSpec,
  context: StrategyContext,
): string | undefined {
  if (!isKnownStrategy(strategy)) return 'not supported'
  const program = programOf(strategy, flow, context)
  if (program === undefined) return 'the runner has no command'
  const { env } = context
  const isThere = program.includes('/') ? isExecutable(program) : findOnPath(program, env)
  return isThere === false || isThere === undefined ? `${program} is not found` : undefined
}

/** The program that must be there. */
export function programOf(
  strategy: string,
  flow: FlowSpec,
  context: Omit<StrategyContext, 'launcher'>,
): string | undefined {
  if (strategy === 'codex_app_server') {
    return (context.env.ZCL_CODEX_APP_SERVER_CMD ?? 'codex').split(/\s+/)[0]
  }
  if (isPreset(strategy)) return strategy
  const { preset, command } = flow.runner
  return command === undefined && preset !== undefined
    ? preset
    : processCommand(flow, context.folder)[0]
}

function commandFor(strategy: string, flow: FlowSpec, context: StrategyContext): string[] {
  const { runner } = flow
  if (strategy === 'codex_app_server') {
    const channel = runner.finalization?.resultChannel?.kind ?? 'none'
    return codexRunnerCommand(context.launcher, {
      model: runner.model,
      effort: runner.modelReasoningEffort,
      effortPolicy: runner.modelReasoningPolicy,
      approvalPolicy: runner.approvalPolicy,
      approvals: runner.approvals,
      sandbox: runner.sandbox,
      minStartIntervalMs: runner.minStartIntervalMs,
      noFeedback: channel !== 'none',
    })
  }
  return isPreset(strategy) ? presetCommand(strategy) : processCommand(flow, context.folder)
}

/** Empty if the flow names no command. */
function processCommand({ runner }: FlowSpec, folder: string): string[] {
  const preset = runner.preset === undefined ? [] : presetCommand(runner.preset)
  const [command, ...args] = runner.command ?? preset
  if (command === undefined) return []
  return [command.includes('/') ? path.resolve(folder, command) : command, ...args]
}

function isPreset(strategy: string): strategy is RunnerPreset {
  return (runnerPresets as readonly string[]).includes(strategy)
}
