// The runners whose own logs can be read. Loads nothing, so that a command tree can have it.

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
