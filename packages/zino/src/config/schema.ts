// ZINO.toml as one schema: defaults, checks, the template of `zino init` and the table in the docs
// all come from here.
import type { ConfigValues } from '@zee/core/config'
import { defineConfig, section, setting } from '@zee/core/config'
import * as z from 'zod/mini'

/** What depends on where zino lives; `zino init` fills in places that work from any folder. */
export interface ConfigDefaults {
  sockets: string
  template: string
  tools: string
  skills: string
  dataDir: string
  usageFile: string
  logs: string
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
  provider: '',
  baseUrl: '',
  model: '',
  script: '',
}

const text = z.string()
const path = z.string().check(z.minLength(1))
const nonNegativeInteger = z.int().check(z.nonnegative())
const flag = z.boolean()

/** A key with a default and one line of meaning. */
function key<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  description: string,
) {
  return setting(z._default(schema, value), { description })
}

/** The same, shown behind a `#` while it is empty. */
function optionalKey(value: string, description: string) {
  return setting(z._default(text, value), { description, commented: value === '' })
}

const apiSection = (at: ConfigDefaults) =>
  section(
    {
      base_url: key(text, at.baseUrl, 'Address of the API, with or without a slash at its end'),
      key: setting(z._default(text, ''), {
        description: 'API key; empty: the environment variable LLM_API_KEY',
        secret: true,
      }),
      provider: optionalKey(at.provider, providerDescription),
      script: optionalKey(at.script, 'Screenplay file of the script model, for provider "script"'),
    },
    { description: 'The model server' },
  )

const providerDescription =
  'anthropic, openai, gemini, openrouter, ollama, lmstudio, llamacpp or script; ' +
  'empty: the OpenAI-compatible endpoint at base_url'

const agentSection = section(
  {
    temperature: key(z.number(), 0.7, 'Sampling temperature'),
    top_p: key(z.number(), 1, 'Nucleus sampling'),
    max_iterations: setting(z.optional(nonNegativeInteger), {
      description: 'What the prompt says about the number of calls; without it that of [agr]',
      example: 5,
    }),
  },
  { description: 'How the model is asked' },
)

const fallbackRoute = z.object({
  provider: key(text, '', 'As in [api]'),
  base_url: key(text, '', 'As in [api]'),
  key: setting(z._default(text, ''), { description: 'API key of this route', secret: true }),
  key_env: key(text, '', 'Environment variable with the key of this route'),
  model: setting(path, { description: 'Name of the model', example: 'llama3.2' }),
})

const rtrSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'rtr'),
      streaming: key(flag, true, 'Stream answers of the model'),
      daily_tokens: key(
        nonNegativeInteger,
        0,
        'Tokens allowed in a day (UTC), over all routes; 0: no ceiling',
      ),
      usage_file: optionalKey(
        at.usageFile,
        "Keeps the day's token count over a restart; empty: memory only",
      ),
      cooldown: key(
        z.number().check(z.nonnegative()),
        30,
        'Seconds a failing route is passed over when its API names no time',
      ),
      fallback: setting(z._default(z.array(fallbackRoute), []), {
        description: 'Routes tried in order when those before them fail',
        example: [{ base_url: 'http://127.0.0.1:11434/v1', model: 'llama3.2' }],
      }),
    },
    { description: 'The way to the model' },
  )

const excSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'exc'),
      timeout: key(z.number().check(z.positive()), 30, 'Seconds a script may run'),
      network: key(flag, true, 'Scripts may use the network (false: by bubblewrap or unshare)'),
      write: setting(z.optional(z.array(path)), {
        description: 'Folders that scripts may write to; absent: wherever the service may',
        example: ['/tmp'],
      }),
      memory_mb: key(nonNegativeInteger, 0, 'Address space of a script in MiB; 0: no limit'),
      cpu_seconds: key(nonNegativeInteger, 0, 'Processor seconds of a script; 0: no limit'),
      open_files: key(nonNegativeInteger, 0, 'Open files of a script; 0: no limit'),
      processes: key(
        nonNegativeInteger,
        0,
        'Processes of the user while a script runs; 0: no limit',
      ),
      pass_env: key(
        z.array(path),
        [],
        'Secret-looking variables that scripts may see all the same',
      ),
    },
    { description: 'Execution of code' },
  )

const ctxSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'ctx'),
      history_limit: key(z.int(), 50, 'Newest messages of a channel that go into the context'),
      hard_memory_top_k: key(z.int(), 3, 'Hard memories that go into the context'),
      inject_skill_examples: key(flag, true, 'Put examples of the skills into the context'),
      inject_hard_memories: key(flag, true, 'Put hard memories into the context'),
      inject_history: key(flag, true, "Put the channel's history into the context"),
    },
    { description: 'The context between prompt and message' },
  )

const sysSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'sys'),
      template: key(text, at.template, 'Template of the system prompt'),
      personality: key(text, '', 'Text for %%PERSONALITY%%'),
      soft_memory: key(text, '', 'First text for %%SOFT_MEMORIES%%; empty: what mem has stored'),
    },
    { description: 'The system prompt' },
  )

const memSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'mem'),
      data_dir: key(path, at.dataDir, 'Where memory is kept'),
      ranking: key(z.enum(['recall', 'tfidf']), 'recall', 'How hard memories are ranked'),
    },
    { description: 'Memory' },
  )

const agrSection = (at: ConfigDefaults) =>
  section(
    {
      socket: socketKey(at, 'agr'),
      max_iterations: key(nonNegativeInteger, 5, 'Model calls in one run at most'),
    },
    { description: 'The agent loop' },
  )

const loggingSection = (at: ConfigDefaults) =>
  section(
    {
      level: key(text, 'INFO', 'DEBUG, INFO, WARNING or ERROR; ZINO_LOG_LEVEL wins'),
      dir: optionalKey(
        at.logs,
        'Log files of a detached zino; empty: "logs" beside the socket of the daemon',
      ),
    },
    { description: 'Logs' },
  )

function socketKey(at: ConfigDefaults, name: string) {
  return key(path, `${at.sockets}/${name}.sock`, `Where ${name} listens; at most 107 bytes`)
}

/** The configuration with other defaults for places; the keys are the same for everyone. */
export function defineZinoConfig(at: ConfigDefaults) {
  return defineConfig({
    program: 'zino',
    title: 'zino: the always-on agent',
    format: 'toml',
    // A ZINO.toml made for another zino may hold keys that this one has no use for.
    unknownKeys: 'warn',
    schema: z.object({
      api: apiSection(at),
      service: section(
        { model: key(text, at.model, 'Name of the model') },
        { description: 'The model' },
      ),
      agent: agentSection,
      daemon: section({ socket: socketKey(at, 'daemon') }, { description: 'The entrance' }),
      sys: sysSection(at),
      rtr: rtrSection(at),
      exc: excSection(at),
      mem: memSection(at),
      ctx: ctxSection(at),
      agr: agrSection(at),
      tools: section(
        { dir: key(path, at.tools, 'Folder of tool definitions') },
        { description: 'Tools' },
      ),
      skills: section(
        { dir: key(path, at.skills, 'Folder of skill definitions') },
        { description: 'Skills' },
      ),
      logging: loggingSection(at),
    }),
  })
}

export const zinoConfig = defineZinoConfig(systemDefaults)

export type ZinoConfig = ConfigValues<typeof zinoConfig.schema>
