// Runs a real coding agent without a terminal: its own home folder, a loopback model, no key of the environment,
// no telemetry and no updates. The process group ends with the run.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../support/paths.ts'
import { agentProgram } from './agents.ts'
import type { AgentName } from './agents.ts'

export interface AgentRun {
  code: number | null
  /** Standard output and standard error. */
  output: string
}

interface AgentSettings {
  /** The user's settings, a file below the home folder. */
  file?: string
  text?: string
  env: Record<string, string>
}

type Describe = (url: string, project: string) => AgentSettings

const settings: Record<AgentName, Describe> = {
  claude: (url) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'test-key-0123456789',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  codex: (url, project) => ({
    file: '.codex/config.toml',
    text:
      'model = "fake"\nmodel_provider = "loopback"\ncheck_for_update_on_startup = false\n' +
      `[model_providers.loopback]\nname = "loopback"\nbase_url = "${url}/v1"\n` +
      'wire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n' +
      `[projects."${project}"]\ntrust_level = "trusted"\n`,
    env: { LOOPBACK_KEY: 'test' },
  }),
  gemini: (url) => ({
    file: '.gemini/settings.json',
    text: JSON.stringify({
      model: { name: 'gemini-2.5-flash' },
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
    }),
    env: {
      GEMINI_API_KEY: 'test',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  }),
  opencode: (url) => ({
    file: '.config/opencode/opencode.json',
    text: JSON.stringify({
      $schema: 'https://opencode.ai/config.json',
      model: 'loopback/fake',
      small_model: 'loopback/fake',
      autoupdate: false,
      share: 'disabled',
      provider: {
        loopback: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'test' },
          models: { fake: {} },
        },
      },
    }),
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
    },
  }),
  pi: (url) => ({
    file: '.pi/agent/models.json',
    text: JSON.stringify({ providers: { anthropic: { baseUrl: url } } }),
    env: { ANTHROPIC_API_KEY: 'test-key-0123456789', PI_OFFLINE: '1', PI_TELEMETRY: '0' },
  }),
}

export interface AgentPlace {
  url: string
  home: string
  project: string
  deadlineMs: number
  /** Variables of an attempt. */
  env?: Record<string, string>
}

/** Writes the user's settings and returns the environment of the agent. */
export function prepareAgent(
  agent: AgentName,
  { url, home, project }: Pick<AgentPlace, 'url' | 'home' | 'project'>,
): Record<string, string> {
  const { file, text, env } = settings[agent](url, project)
  if (file !== undefined) prepend(path.join(home, file), text ?? '')
  const programs = path.join(repository, 'node_modules/.bin')
  return { ...env, HOME: home, PATH: `${programs}:${process.env.PATH}` }
}

/** Runs the agent in `project` with these arguments, as a user whose model is at `url`. */
export async function runAgent(
  agent: AgentName,
  args: readonly string[],
  at: AgentPlace,
): Promise<AgentRun> {
  const child = spawn(agentProgram(agent), args, {
    cwd: at.project,
    env: { ...prepareAgent(agent, at), ...at.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const timer = setTimeout(() => killGroup(child.pid), at.deadlineMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  killGroup(child.pid)
  return { code, output: Buffer.concat(chunks).toString() }
}

/** The test may have put settings of its own there; tables of TOML go last. */
function prepend(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text + (existsSync(file) ? readFileSync(file, 'utf8') : ''))
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
