// The schema of ZINO.toml. Defaults, validation, the `zino init` template and the table in the docs
// are generated from it.
import type { ConfigValues } from '@zee/core/config'
import { defineConfig, section, setting } from '@zee/core/config'
import * as z from 'zod/mini'

/** Defaults that depend on the installation; `zino init` fills in absolute paths. */
export interface ConfigDefaults {
  sockets: string
  template: string
  tools: string
  skills: string
  dataDir: string
  usageFile: string
  logs: string
  tokenFile: string
  provider: string
  baseUrl: string
  model: string
  script: string
}

const systemDefaults: ConfigDefaults = {
  sockets: '/run/zino',
  template: 'SYSTEM.md',
  tools: 'tools',
  skills: 'skills',
  dataDir: 'data/mem',
  usageFile: '',
  logs: '',
  tokenFile: 'data/http-token',
  provider: '',
  baseUrl: '',
  model: '',
  script: '',
}

const text = z.string()
const path = z.string().check(z.minLength(1))
const nonNegativeInteger = z.int().check(z.nonnegative())
const flag = z.boolean()

/** A key with a default and a one-line description. */
function key<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  description: string,
) {
  return setting(z._default(schema, value), { description })
}

/** A text key that the template shows commented out while it is empty. */
function optionalKey(value: string, description: string) {
  return setting(z._default(text, value), { description, commented: value === '' })
}

const apiSection = (defaults: ConfigDefaults) =>
  section(
    {
      base_url: key(text, defaults.baseUrl, 'Base URL of the API; a trailing slash is allowed'),
      key: setting(z._default(text, ''), {
        description: 'API key; empty: the environment variable LLM_API_KEY',
        secret: true,
      }),
      provider: optionalKey(defaults.provider, providerDescription),
      script: optionalKey(
        defaults.script,
        'Screenplay file of the script model, for provider "script"',
      ),
    },
    { description: 'The model server' },
  )

const providerDescription =
  'anthropic, openai, gemini, openrouter, ollama, lmstudio, llamacpp or script; ' +
  'empty: the OpenAI-compatible endpoint at base_url'

const agentSection = section(
  {
    temperature: setting(z.optional(z.number()), {
      description: "Sampling temperature; absent: the model's default",
      example: 0.7,
    }),
    top_p: setting(z.optional(z.number()), {
      description: "Nucleus sampling; absent: the model's default",
      example: 0.9,
    }),
    max_iterations: setting(z.optional(nonNegativeInteger), {
      description:
        'Maximum number of model calls stated in the prompt; absent: [agr] max_iterations',
      example: 5,
    }),
  },
  { description: 'Sampling' },
)

const fallbackRoute = z.object({
  provider: key(text, '', 'As in [api]'),
  base_url: key(text, '', 'As in [api]'),
  key: setting(z._default(text, ''), { description: 'API key of this route', secret: true }),
  key_env: key(text, '', 'Environment variable with the key of this route'),
  model: setting(path, { description: 'Name of the model', example: 'llama3.2' }),
})

const rtrSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'rtr'),
      streaming: key(flag, true, 'Stream the answers of the model'),
      daily_tokens: key(
        nonNegativeInteger,
        0,
        'Tokens allowed in a day (UTC), over all routes; 0: no ceiling',
      ),
      usage_file: optionalKey(
        defaults.usageFile,
        "File that keeps the day's token count across restarts; empty: in memory only",
      ),
      cooldown: key(
        z.number().check(z.nonnegative()),
        30,
        'Seconds to skip a failing route when its API sends no Retry-After',
      ),
      fallback: setting(z._default(z.array(fallbackRoute), []), {
        description: 'Routes to try, in order, when the previous ones fail',
        example: [{ base_url: 'http://127.0.0.1:11434/v1', model: 'llama3.2' }],
      }),
    },
    { description: 'The model router' },
  )

const names = z.array(path)

const allowSection = z.strictObject({
  tools: setting(z.optional(names), {
    description: 'Executors, functions, skills and MCP tools that may be called; "*" ends a prefix',
    example: ['bash'],
  }),
  paths: setting(z.optional(names), {
    description: 'Files and folders that scripts may read and write, besides the system folders',
    example: ['/home/me/reports'],
  }),
  hosts: setting(z.optional(names), {
    description: 'Hosts that scripts may reach: name, name:port, *.name or *',
    example: [],
  }),
  tokens: setting(z.optional(nonNegativeInteger), {
    description: 'Tokens of all model calls of one turn',
    example: 50_000,
  }),
  until: setting(z.optional(path), {
    description: 'Date or RFC 3339 time from which nothing is allowed',
    example: '2027-01-01',
  }),
})

const approveKey = (description: string) =>
  setting(z.optional(z.enum(['allow', 'ask'])), { description, example: 'ask' })

const channelsSection = setting(
  z.optional(
    z.record(
      z.string(),
      z.object({
        allow: setting(z.optional(allowSection), {
          description: 'What turns of this channel may use; absent: no limit',
        }),
        approve: approveKey('"ask": every tool call of this channel waits for zino approve'),
      }),
    ),
  ),
  {
    description: 'Limits of single channels, by name',
    example: { ops: { allow: { tools: ['bash'], hosts: [] }, approve: 'ask' } },
  },
)

const excSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'exc'),
      timeout: key(z.number().check(z.positive()), 30, 'Seconds a script may run'),
      network: key(flag, true, 'Scripts may use the network (false needs bubblewrap or unshare)'),
      write: setting(z.optional(z.array(path)), {
        description: 'Folders that scripts may write to; absent: wherever exc may',
        example: ['/tmp'],
      }),
      memory_mb: key(nonNegativeInteger, 0, 'Address space of a script in MiB; 0: no limit'),
      cpu_seconds: key(nonNegativeInteger, 0, 'Processor seconds of a script; 0: no limit'),
      open_files: key(nonNegativeInteger, 0, 'Open files of a script; 0: no limit'),
      processes: key(
        nonNegativeInteger,
        0,
        'Processes of the user, the running scripts included; 0: no limit',
      ),
      pass_env: key(
        z.array(path),
        [],
        'Environment variables to pass to scripts although they look secret',
      ),
      approve: approveKey('"ask": every tool call waits for zino approve; absent: none does'),
      approve_timeout: key(
        z.number().check(z.positive()),
        300,
        'Seconds until a call that waits for approval is denied',
      ),
    },
    { description: 'Code execution' },
  )

const ctxSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'ctx'),
      history_limit: key(z.int(), 50, 'Number of newest channel messages in the context'),
      hard_memory_top_k: key(z.int(), 3, 'Number of hard memories in the context'),
      min_score: key(
        z.number().check(z.nonnegative()),
        0.5,
        'Score below which a memory or an earlier message is left out; scores reach from 0 to 1',
      ),
      history_top_k: key(z.int(), 3, 'Number of earlier messages that match the message'),
      cross_channel: key(flag, false, 'Search earlier messages in all channels'),
      inject_skill_examples: key(flag, true, 'Include skill examples in the context'),
      inject_hard_memories: key(flag, true, 'Include hard memories in the context'),
      inject_history: key(flag, true, "Include the channel's history in the context"),
    },
    { description: 'The context between the system prompt and the message' },
  )

const sysSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'sys'),
      template: key(text, defaults.template, 'Template of the system prompt'),
      personality: key(text, '', 'Text for %%PERSONALITY%%'),
      soft_memory: key(
        text,
        '',
        'Initial text for %%SOFT_MEMORIES%%; empty: the text stored in mem',
      ),
    },
    { description: 'The system prompt' },
  )

const memSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'mem'),
      data_dir: key(path, defaults.dataDir, 'Data folder of mem'),
      ranking: key(z.enum(['recall', 'tfidf']), 'recall', 'Ranking of hard memories'),
    },
    { description: 'Memory' },
  )

const agrSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'agr'),
      max_iterations: key(nonNegativeInteger, 5, 'Maximum number of model calls per run'),
    },
    { description: 'The agent loop' },
  )

const tmrSection = section(
  {
    socket: optionalKey('', 'Socket path of tmr; empty: tmr.sock next to the socket of daemon'),
    enabled: setting(z.optional(flag), {
      description:
        'Start tmr with the others (true) or never (false); absent: at the first timer, and while there are timers',
      example: true,
    }),
    zone: key(text, '', 'Time zone of timers that name none; empty: that of the client'),
    parallel: key(z.int().check(z.positive()), 4, 'Number of timers that run at the same time'),
  },
  { description: 'Timers' },
)

const inboxSection = section(
  {
    notify: optionalKey(
      '',
      'Command line for sh that gets the text of each new inbox entry on stdin',
    ),
    notify_timeout: key(z.number().check(z.positive()), 30, 'Seconds that the command may run'),
  },
  { description: 'The inbox: what timers produced' },
)

const loggingSection = (defaults: ConfigDefaults) =>
  section(
    {
      level: key(text, 'INFO', 'DEBUG, INFO, WARNING or ERROR; ZINO_LOG_LEVEL overrides it'),
      dir: optionalKey(
        defaults.logs,
        'Log folder of a detached zino; empty: "logs" next to the daemon socket',
      ),
    },
    { description: 'Logs' },
  )

const textMap = z.record(text, text)

const mcpSection = setting(
  z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Za-z0-9_-]{1,32}$/)),
      z.object({
        command: setting(z.optional(path), {
          description: 'Program of a local server; a server has either this or a url',
        }),
        args: setting(z.optional(z.array(text)), { description: 'Arguments of the program' }),
        env: setting(z.optional(textMap), {
          description: 'Environment variables of the server with their values',
          secret: true,
        }),
        env_vars: setting(z.optional(z.array(path)), {
          description: 'Names of environment variables to pass on, for example a token',
        }),
        url: setting(z.optional(path), { description: 'URL of a server reached over HTTP' }),
        headers: setting(z.optional(textMap), {
          description: 'HTTP headers of every request with their values',
          secret: true,
        }),
        header_env: setting(z.optional(textMap), {
          description: 'HTTP headers whose values come from these environment variables',
        }),
        key_env: setting(z.optional(path), {
          description: 'Environment variable that holds its key, sent as a bearer token',
        }),
      }),
    ),
  ),
  {
    description: 'MCP servers by name; the model can call their tools',
    example: { files: { command: 'mcp-server-filesystem', args: ['/srv/docs'] } },
  },
)

const httpSection = (defaults: ConfigDefaults) =>
  section(
    {
      enabled: key(flag, false, 'Run the bridge with zino up'),
      socket: optionalKey('', 'Socket for pings of the supervisor; empty: http.sock beside daemon'),
      host: key(path, '127.0.0.1', 'Address to listen at; other machines can reach 0.0.0.0'),
      port: key(z.int().check(z.nonnegative(), z.maximum(65_535)), 8377, 'Port; 0: a free one'),
      token_file: key(
        path,
        defaults.tokenFile,
        'File with the bearer token, mode 0600; created when missing',
      ),
      hosts: key(
        z.array(path),
        [],
        'Host names, such as that of a proxy, that clients may use to reach the bridge',
      ),
    },
    { description: 'The HTTP bridge of zino http' },
  )

function socketKey(defaults: ConfigDefaults, name: string) {
  return key(path, `${defaults.sockets}/${name}.sock`, `Socket path of ${name}; at most 107 bytes`)
}

/** The configuration with these defaults; the keys are always the same. */
export function defineZinoConfig(defaults: ConfigDefaults) {
  return defineConfig({
    program: 'zino',
    title: 'zino: the always-on agent',
    format: 'toml',
    // A ZINO.toml of the original Python zino may hold keys that this version does not use.
    unknownKeys: 'warn',
    schema: z.object({
      api: apiSection(defaults),
      service: section(
        {
          model: key(text, defaults.model, 'Name of the model'),
          max_tokens: setting(z.optional(z.int().check(z.positive())), {
            description: "Maximum number of tokens of one answer; absent: the model's maximum",
            example: 8192,
          }),
          answer_timeout_secs: key(
            z.number().check(z.positive()),
            1800,
            'Seconds that one answer of the model may take',
          ),
        },
        { description: 'The model' },
      ),
      agent: agentSection,
      daemon: section(
        { socket: socketKey(defaults, 'daemon') },
        { description: 'The entry point for clients' },
      ),
      sys: sysSection(defaults),
      rtr: rtrSection(defaults),
      exc: excSection(defaults),
      mem: memSection(defaults),
      ctx: ctxSection(defaults),
      agr: agrSection(defaults),
      channels: channelsSection,
      tmr: tmrSection,
      inbox: inboxSection,
      tools: section(
        { dir: key(path, defaults.tools, 'Folder of tool definitions') },
        { description: 'Tools' },
      ),
      skills: section(
        { dir: key(path, defaults.skills, 'Folder of skill definitions') },
        { description: 'Skills' },
      ),
      mcp: mcpSection,
      http: httpSection(defaults),
      logging: loggingSection(defaults),
    }),
  })
}

export const zinoConfig = defineZinoConfig(systemDefaults)

export type ZinoConfig = ConfigValues<typeof zinoConfig.schema>
