// Where each agent looks for skills and for MCP servers. Adding an agent is one row.

export interface AgentRow {
  name: string
  /** Folder of skills below the project, or below the home folder. */
  skills: string
  /** Configuration of MCP servers below the project, and below the home folder if it differs. */
  config: string
  homeConfig?: string
  /** The form of the configuration. */
  form: 'toml' | JsonForm
  /** Its presence means that the agent is used here. */
  mark: string
}

export interface JsonForm {
  /** The key of the table of servers. */
  key: string
  entry: object
  /** Written into a new file. OpenCode adds it to a file without one, which `uninstall` would not remove. */
  schema?: string
  /** The agent allows comments and trailing commas in its file. */
  allowsComments?: boolean
}

const args = ['mcp', '--root', '.']
/** Zed has no hooks: inside an attempt, zcl's proxy records the calls of the server. */
const recorded =
  'test -z "$ZCL_OUT_DIR" && exec zeno mcp --root .; exec zcl mcp proxy -- zeno mcp --root .'
const standard = { key: 'mcpServers', entry: { command: 'zeno', args } }

export const agents: readonly AgentRow[] = [
  {
    name: 'claude',
    skills: '.claude/skills',
    config: '.mcp.json',
    homeConfig: '.claude.json',
    form: standard,
    mark: '.claude',
  },
  {
    name: 'codex',
    skills: '.codex/skills',
    config: '.codex/config.toml',
    form: 'toml',
    mark: '.codex',
  },
  {
    name: 'opencode',
    skills: '.opencode/skills',
    config: 'opencode.json',
    homeConfig: '.config/opencode/opencode.json',
    form: {
      key: 'mcp',
      entry: { type: 'local', command: ['zeno', ...args], enabled: true },
      schema: 'https://opencode.ai/config.json',
      allowsComments: true,
    },
    mark: '.opencode',
  },
  {
    name: 'gemini',
    skills: '.gemini/skills',
    config: '.gemini/settings.json',
    // Without a terminal, Gemini CLI offers only the tools of trusted servers. zeno only reads.
    form: {
      key: 'mcpServers',
      entry: { command: 'zeno', args, trust: true },
      allowsComments: true,
    },
    mark: '.gemini',
  },
  {
    name: 'zed',
    skills: '.agents/skills',
    config: '.zed/settings.json',
    homeConfig: '.config/zed/settings.json',
    form: {
      key: 'context_servers',
      entry: { source: 'custom', command: 'sh', args: ['-c', recorded] },
      allowsComments: true,
    },
    mark: '.zed',
  },
  {
    name: 'agents',
    skills: '.agents/skills',
    config: '.mcp.json',
    form: standard,
    mark: '.agents',
  },
]
