// The configuration schema of zdx: the source of checks, the template and the reference.
import { defineConfig, setting, type ConfigValues } from '@zee/core/config'
import { hookEvents } from '@zee/agent/hooks'
import { wireNames } from '@zee/llm'
import * as z from 'zod/mini'
import { configDefaults, maxCount } from './defaults.ts'

const providerSection = z.object({
  wire: setting(z.optional(z.enum(wireNames)), {
    description: 'Wire format; required for a provider that is not built in.',
  }),
  base_url: setting(z.optional(z.string()), {
    description: 'Base URL including the version; required for a provider that is not built in.',
  }),
  key_env: setting(z.optional(z.string()), {
    description: 'Environment variable that holds its key; absent if it needs none.',
  }),
  model: setting(z.optional(z.string()), { description: 'Default model.' }),
})

const stringMap = z.record(z.string(), z.string())

const mcpSection = z.object({
  command: setting(z.optional(z.string()), {
    description: 'Program of a local server; a server has either this or a url.',
  }),
  args: setting(z.optional(z.array(z.string())), { description: 'Arguments of the program.' }),
  env: setting(z.optional(stringMap), {
    description: 'Environment variables of the server with their values.',
    secret: true,
  }),
  env_vars: setting(z.optional(z.array(z.string())), {
    description: 'Names of environment variables to pass on, for example a token.',
  }),
  url: setting(z.optional(z.string()), {
    description: 'URL of a server reached over HTTP.',
  }),
  headers: setting(z.optional(stringMap), {
    description: 'HTTP headers of every request with their values.',
    secret: true,
  }),
  header_env: setting(z.optional(stringMap), {
    description: 'HTTP headers whose values come from these environment variables.',
  }),
  key_env: setting(z.optional(z.string()), {
    description: 'Environment variable that holds its key, sent as a bearer token.',
  }),
  client_id: setting(z.optional(z.string()), {
    description: 'Client of zdx at an authorization server that registers no clients by itself.',
  }),
})

const permissionsSection = z.object({
  allow: setting(z.optional(z.array(z.string())), {
    description: 'Calls that run without a question, also if permission is ask or read-only.',
    example: ['bash:npm test*', 'edit:src/**'],
  }),
  deny: setting(z.optional(z.array(z.string())), {
    description: 'Calls that never run.',
    example: ['bash:git push*'],
  }),
})

const hookSection = z.object({
  event: setting(z.enum(hookEvents), { description: 'When the command runs.' }),
  match: setting(z.optional(z.string()), {
    description: 'Rule for the calls of before_tool and after_tool; absent for every call.',
  }),
  command: setting(z.string(), { description: 'Shell command; gets the event as JSON on stdin.' }),
})

const integerFrom = (min: number) => z.int().check(z.minimum(min), z.maximum(maxCount))

export const zdxConfig = defineConfig({
  program: 'zdx',
  title: 'zdx configuration',
  format: 'toml',
  unknownKeys: 'warn',
  headings: {
    unreadable: (path) => `Failed to read config from ${path}`,
    invalid: (path) => `Failed to parse config from ${path}`,
  },
  schema: z.object({
    model: setting(z._default(z.string(), configDefaults.model), {
      description: 'The model to use.',
    }),
    max_tokens: setting(z.optional(integerFrom(1)), {
      description: 'Maximum length of an answer in tokens; the maximum of the model if absent.',
      example: 16_384,
    }),
    tool_timeout_secs: setting(z._default(integerFrom(0), configDefaults.tool_timeout_secs), {
      description: 'Seconds a tool may run; 0 means no limit.',
    }),
    answer_timeout_secs: setting(z._default(integerFrom(0), configDefaults.answer_timeout_secs), {
      description: 'Seconds an answer of the model may take; 0 means no limit.',
      commented: true,
    }),
    provider: setting(z.optional(z.string()), {
      description: 'Model provider: anthropic, openai, gemini, openrouter, ollama, script, ...',
      example: 'anthropic',
    }),
    thinking: setting(z.optional(z.enum(['off', 'low', 'medium', 'high'])), {
      description: 'How much the model thinks before it answers; the provider decides if absent.',
      example: 'low',
    }),
    tools: setting(z.optional(z.array(z.string())), {
      description:
        'Tools offered to the model; bash, edit, read and write if absent. Also: jobs, search, web_fetch, ' +
        'mcp:<server>, mcp:<server>/<tool>. A list of +names adds to the default tools.',
      example: ['bash', 'edit', 'read', 'search', 'write'],
    }),
    web_fetch_hosts: setting(z.optional(z.array(z.string())), {
      description: 'Hosts that web_fetch may reach although they have a private address.',
      example: ['intranet.example'],
    }),
    permission: setting(
      z._default(z.enum(['allow', 'ask', 'read-only']), configDefaults.permission),
      {
        description:
          'Whether tools that change something run: allow, ask (the user decides) or read-only.',
        commented: true,
      },
    ),
    secrets: setting(z._default(z.enum(['hide', 'keep']), configDefaults.secrets), {
      description:
        'Whether secrets in tool results become placeholders (hide) or reach the model (keep).',
      commented: true,
    }),
    permissions: setting(z.optional(permissionsSection), {
      description: 'Rules such as `bash:npm test*` or `edit:src/**` for every mode; deny wins.',
    }),
    hooks: setting(z.optional(z.array(hookSection)), {
      description: 'Commands that run around tool calls, turns and sessions.',
      example: [{ event: 'after_tool', match: 'edit:src/**', command: 'npm run --silent lint' }],
    }),
    max_usd: setting(z.optional(z.number().check(z.minimum(0))), {
      description: 'Stop before a request with which a run would cost more US dollars than this.',
      example: 2.5,
    }),
    stream: setting(z._default(z.boolean(), configDefaults.stream), {
      description: 'Whether answers are streamed.',
      commented: true,
    }),
    temperature: setting(z.optional(z.number().check(z.minimum(0), z.maximum(2))), {
      description: 'Sampling temperature; the provider decides if absent.',
      example: 0.7,
    }),
    system_prompt: setting(z.optional(z.string()), {
      description: 'System prompt of every conversation; zdx has a short default. "" means none.',
      example: 'Answer briefly.',
    }),
    system_prompt_file: setting(z.optional(z.string()), {
      description: 'File that holds the system prompt; wins over system_prompt.',
      example: '/home/me/prompt.md',
    }),
    anthropic_base_url: setting(z.optional(z.string()), {
      description: 'Base URL of the Anthropic API.',
      example: 'http://127.0.0.1:8080',
    }),
    openai_base_url: setting(z.optional(z.string()), {
      description: 'Base URL of the OpenAI API, including the version.',
      example: 'http://127.0.0.1:8080/v1',
    }),
    gemini_base_url: setting(z.optional(z.string()), {
      description: 'Base URL of the Gemini API, including the version.',
      example: 'http://127.0.0.1:8080/v1beta',
    }),
    openrouter_base_url: setting(z.optional(z.string()), {
      description: 'Base URL of OpenRouter, including the version.',
      example: 'http://127.0.0.1:8080/api/v1',
    }),
    providers: setting(z.optional(z.record(z.string(), providerSection)), {
      description: 'Additional providers by name, and overrides of built-in ones.',
      example: {
        mine: {
          wire: 'openai-chat',
          base_url: 'http://127.0.0.1:9000/v1',
          key_env: 'MINE_API_KEY',
          model: 'my-model',
        },
      },
    }),
    mcp: setting(z.optional(z.record(z.string(), mcpSection)), {
      description: 'MCP servers by name; their tools are offered only if `tools` names them.',
      example: {
        files: { command: 'mcp-server-filesystem', args: ['.'] },
        remote: { url: 'https://example.com/mcp', key_env: 'REMOTE_MCP_KEY' },
      },
    }),
  }),
})

export type ZdxConfig = ConfigValues<typeof zdxConfig.schema>
