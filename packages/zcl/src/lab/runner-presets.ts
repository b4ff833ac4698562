// Commands of known agents: each reads the prompt of the attempt and runs without questions.

const commands = {
  claude: 'exec claude -p --permission-mode bypassPermissions < "$ZCL_PROMPT_PATH"',
  codex: 'exec codex exec --skip-git-repo-check - < "$ZCL_PROMPT_PATH"',
  gemini: 'exec gemini --yolo -p "$(cat "$ZCL_PROMPT_PATH")"',
  opencode: 'exec opencode run "$(cat "$ZCL_PROMPT_PATH")"',
  pi: 'exec pi -p "$(cat "$ZCL_PROMPT_PATH")"',
  zdx: 'exec zdx exec -p "$(cat "$ZCL_PROMPT_PATH")"',
} as const

export type RunnerPreset = keyof typeof commands

export const runnerPresetNames = Object.keys(commands) as [RunnerPreset, ...RunnerPreset[]]

/** The command of a preset; `args` go to the agent's own command line. */
export function presetCommand(preset: RunnerPreset): string[] {
  return ['sh', '-c', commands[preset], preset]
}
