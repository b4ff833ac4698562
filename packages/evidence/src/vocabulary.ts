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
