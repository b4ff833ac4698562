// Commands of known agents: each reads the prompt of the attempt and runs without questions. A campaign or a
// suite names them by preset.
import path from 'node:path'
import { isNative, type Suite } from '@zee/evidence/suite'
import type { RunnerPreset } from '@zee/evidence/vocabulary'
import type { Launcher } from '../programs/programs.ts'
import { codexRunnerCommand } from './native/native.ts'

const commands: Readonly<Record<RunnerPreset, string>> = {
  // Claude Code refuses to skip its questions as root, unless IS_SANDBOX is set.
  claude: `[ "$(id -u)" != 0 ] || export IS_SANDBOX=1
exec claude -p --permission-mode bypassPermissions < "$ZCL_PROMPT_PATH"`,
  codex: 'exec codex exec --skip-git-repo-check - < "$ZCL_PROMPT_PATH"',
  // Gemini CLI refuses to work in a new folder, which it does not trust.
  gemini: `export GEMINI_CLI_TRUST_WORKSPACE=true
exec gemini --yolo -p "$(cat "$ZCL_PROMPT_PATH")"`,
  opencode: 'exec opencode run "$(cat "$ZCL_PROMPT_PATH")"',
  pi: 'exec pi -p "$(cat "$ZCL_PROMPT_PATH")"',
  zdx: 'exec zdx exec -p "$(cat "$ZCL_PROMPT_PATH")"',
}

/** The command of a preset; `args` go to the agent's own command line. */
export function presetCommand(preset: RunnerPreset): string[] {
  return ['sh', '-c', commands[preset], preset]
}

export interface RunnerSource {
  /** The suite file. */
  file: string
  cwd: string
  launcher: Launcher
  /** The result channel has the outcome, so that a native runner leaves it. */
  hasChannel: boolean
}

/** The runner on the command line, or else that of the suite; empty if neither names one. */
export function runnerFor(
  given: readonly string[],
  suite: Suite,
  { file, cwd, launcher, hasChannel }: RunnerSource,
): readonly string[] {
  const runner = suite.runner ?? suite.defaults?.runner
  if (given.length > 0 || runner === undefined) return given
  if (isNative(runner)) {
    const { modelReasoningEffort: effort, modelReasoningPolicy: effortPolicy } = runner
    const settings = { ...runner, effort, effortPolicy, noFeedback: hasChannel }
    return codexRunnerCommand(launcher, settings)
  }
  const preset = runner.preset as RunnerPreset | undefined
  if (preset !== undefined) return presetCommand(preset)
  const [program = '', ...args] = runner.command ?? []
  const folder = path.dirname(path.resolve(cwd, file))
  return [program.includes('/') ? path.resolve(folder, program) : program, ...args]
}
