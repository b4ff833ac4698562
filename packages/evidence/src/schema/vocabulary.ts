// The words that artifacts and command lines may use. Loads nothing, so that a command tree can have it.

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

/** The forms in which evidence can leave. */
export const exportFormats = ['otlp-json', 'atif', 'junit', 'csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The runners whose own logs can be read. */
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
