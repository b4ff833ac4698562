// How each real agent is configured and started for the tests: its files below HOME, its command line, and
// the names of its tools for shell commands and for the tool `count` of the MCP server `tally`.
import { agentProgram, type AgentName } from './agents.ts'
import type { ToolCall } from './scripted-model.ts'

export interface AgentSetup {
  /** The model server, without the path of the API. */
  modelUrl: string
  /** The command of the MCP server. */
  mcp: readonly string[]
}

export interface AgentProfile {
  name: AgentName
  /** Files below HOME. */
  files(setup: AgentSetup): Record<string, string | object>
  /** Lines for `sh` that start the agent with the prompt in the file $ZCL_PROMPT_PATH. */
  script(setup: AgentSetup): string
  env(setup: AgentSetup): Record<string, string>
  shell(command: string): ToolCall
  /** Undefined if the agent has no MCP client. */
  mcp: ((what: string) => ToolCall) | undefined
  /** The logs, relative to HOME. */
  log: string
  /** Why the agent cannot be measured at a boundary. */
  without?: string
}

const prompt = '"$(cat "$ZCL_PROMPT_PATH")"'

const codex: AgentProfile = {
  name: 'codex',
  files: ({ modelUrl, mcp }) => ({
    '.codex/config.toml': `
model = "scripted"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${modelUrl}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.tally]
command = ${JSON.stringify(mcp[0])}
args = ${JSON.stringify(mcp.slice(1))}
`,
  }),
  // Codex passes no environment on to MCP servers, so the command line names the attempt.
  script: ({ mcp }) => {
    const [, ...args] = mcp
    const attempt = [...args.slice(0, 2), '--attempt', '$ZCL_OUT_DIR', ...args.slice(2)]
    const words = attempt.map((word) => JSON.stringify(word).replaceAll('"', '\\"'))
    const config = `"mcp_servers.tally.args=[${words.join(',')}]"`
    return `${agentProgram('codex')} exec --skip-git-repo-check -c ${config} - < "$ZCL_PROMPT_PATH"`
  },
  env: () => ({}),
  shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  mcp: (what) => ({ tool: 'count', namespace: 'mcp__tally', input: { what } }),
  log: '.codex/sessions',
}

const claude: AgentProfile = {
  name: 'claude',
  files: ({ mcp }) => ({
    'mcp.json': { mcpServers: { tally: { command: mcp[0], args: mcp.slice(1) } } },
  }),
  script: () => {
    const flags = '--mcp-config "$HOME/mcp.json" --strict-mcp-config --model claude-sonnet-4-5'
    const tools = '--allowedTools Bash,mcp__tally__count'
    return `${agentProgram('claude')} -p ${flags} ${tools} < "$ZCL_PROMPT_PATH"`
  },
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'no-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Offers the tools of MCP servers at once instead of after a search.
    ENABLE_TOOL_SEARCH: 'false',
  }),
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'Counts' } }),
  mcp: (what) => ({ tool: 'mcp__tally__count', input: { what } }),
  log: '.claude/projects',
}

const opencode: AgentProfile = {
  name: 'opencode',
  files: ({ modelUrl, mcp }) => ({
    '.config/opencode/opencode.json': {
      autoupdate: false,
      share: 'disabled',
      model: 'loopback/scripted',
      small_model: 'loopback/scripted',
      provider: {
        loopback: {
          npm: '@ai-sdk/openai-compatible',
          name: 'loopback',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'no-key' },
          models: { scripted: { tool_call: true, limit: { context: 100_000, output: 4000 } } },
        },
      },
      mcp: { tally: { type: 'local', command: mcp, enabled: true } },
    },
  }),
  // Node 20 cannot read the database of OpenCode, so the session is exported.
  script: () => `program=${agentProgram('opencode')}
"$program" run --title tally --format json ${prompt} > "$HOME/events.jsonl" || exit 1
session=$(sed -n 's/.*"sessionID":"\\([^"]*\\)".*/\\1/p' "$HOME/events.jsonl" | head -n 1)
"$program" export "$session" > "$HOME/session.json" 2> /dev/null`,
  env: () => ({
    // No packages from the network.
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_fetch_retries: '0',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'Counts' } }),
  mcp: (what) => ({ tool: 'tally_count', input: { what } }),
  log: 'session.json',
}

const gemini: AgentProfile = {
  name: 'gemini',
  files: ({ mcp }) => ({
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      model: { skipNextSpeakerCheck: true },
      mcpServers: { tally: { command: mcp[0], args: mcp.slice(1), trust: true } },
    },
  }),
  script: () =>
    `${agentProgram('gemini')} --yolo --skip-trust -m gemini-2.5-flash -p ${prompt} < /dev/null`,
  env: ({ modelUrl }) => ({ GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: modelUrl }),
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'Counts' } }),
  mcp: (what) => ({ tool: 'mcp_tally_count', input: { what } }),
  log: '.gemini/tmp',
}

const pi: AgentProfile = {
  name: 'pi',
  files: ({ modelUrl }) => ({
    '.pi/agent/models.json': {
      providers: {
        loopback: {
          baseUrl: `${modelUrl}/v1`,
          api: 'openai-completions',
          apiKey: 'no-key',
          models: [
            {
              id: 'scripted',
              name: 'scripted',
              reasoning: false,
              input: ['text'],
              contextWindow: 100_000,
              maxTokens: 4000,
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            },
          ],
        },
      },
    },
  }),
  script: () =>
    `${agentProgram('pi')} --provider loopback --model scripted -p ${prompt} < /dev/null`,
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  shell: (command) => ({ tool: 'bash', input: { command } }),
  mcp: undefined,
  log: '.pi/agent/sessions',
  without: 'pi has no MCP client',
}

export const agentProfiles: readonly AgentProfile[] = [codex, claude, opencode, gemini, pi]
