// The enumerated values of artifacts and command lines. Loads nothing, so the command tree can
// import it.

export const modes = ['discovery', 'ci'] as const
export const noteKinds = ['agent', 'operator', 'system'] as const
export const classifications = [
  'missing_primitive',
  'naming_ux',
  'output_shape',
  'already_possible_better_way',
] as const
export const decisionTags = [
  'blocked',
  'contaminated_prompt',
  'funnel_bypass',
  'missing_evidence',
  'success',
  'timeout',
] as const
export const timeoutStarts = ['attempt_start', 'first_tool_call'] as const
export const isolationModels = ['process_runner', 'native_spawn'] as const
export const isolations = ['none', 'namespace', 'container'] as const
export const networks = ['host', 'none', 'loopback', 'funnel-only'] as const

/** Agents whose command line zcl knows. */
export const runnerPresets = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'zdx'] as const
export type RunnerPreset = (typeof runnerPresets)[number]

/** The native runner, and the settings that it takes. */
export const nativePreset = 'codex_app_server'
export const approvalPolicies = ['never', 'on-request', 'untrusted'] as const
export const effortPolicies = ['best_effort', 'required'] as const
export const approvalAnswers = ['accept', 'decline'] as const
export const sandboxModes = ['read-only', 'workspace-write', 'danger-full-access'] as const

/** Formats of `zcl export`. */
export const exportFormats = [
  'otlp-json',
  'atif',
  'junit',
  'csv',
  'jsonl',
  'inspect',
  'parquet',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Runners whose logs `zcl enrich` can read. */
export const runnerNames = [
  'codex',
  'claude',
  'zdx',
  'gemini',
  'pi',
  'qwen',
  'copilot',
  'opencode',
] as const
export type RunnerName = (typeof runnerNames)[number]

/** `action` counts what the agent did itself; `all` counts calls inside traced calls too. */
export const callLevels = ['action', 'all'] as const
export type CallLevel = (typeof callLevels)[number]

/** Logs that `zcl import` can read. */
export const importFormats = [
  'inspect',
  'harbor',
  'atif',
  'promptfoo',
  'otlp',
  'codex',
  'claude',
  'opencode',
  'gemini',
  'pi',
] as const
export type ImportFormat = (typeof importFormats)[number]
