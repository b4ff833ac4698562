// The configuration of zdx: one schema for defaults, checks, the template and the reference.
import { defineConfig, setting, type ConfigValues } from '@zee/core/config'
import { wireNames } from '@zee/llm'
import * as z from 'zod/mini'
import { configDefaults, maxCount } from './defaults.ts'

const provider = z.object({
  wire: setting(z.optional(z.enum(wireNames)), {
    description: 'The wire format that it speaks; needed for a provider of your own.',
  }),
  base_url: setting(z.optional(z.string()), {
    description: 'Its address, version included; needed for a provider of your own.',
  }),
  key_env: setting(z.optional(z.string()), {
    description: 'The environment variable with its key; absent when it needs none.',
  }),
  model: setting(z.optional(z.string()), { description: 'The model asked when none is named.' }),
})

const words = z.record(z.string(), z.string())

const mcpServer = z.object({
  command: setting(z.optional(z.string()), {
    description: 'The program of a server that runs here; a server has this or a url.',
  }),
  args: setting(z.optional(z.array(z.string())), { description: 'Its arguments.' }),
  env: setting(z.optional(words), {
    description: 'Variables of its environment and their values.',
    secret: true,
  }),
  env_vars: setting(z.optional(z.array(z.string())), {
    description: 'Variables that are handed on to it, such as a token of its own.',
  }),
  url: setting(z.optional(z.string()), {
    description: 'The address of a server that is reached over HTTP.',
  }),
  headers: setting(z.optional(words), {
    description: 'Headers of every request and their values.',
    secret: true,
  }),
  header_env: setting(z.optional(words), {
    description: 'Headers whose values are in these environment variables.',
  }),
  key_env: setting(z.optional(z.string()), {
    description: 'The environment variable with its key, sent as a bearer token.',
  }),
})

const wholeFrom = (least: number) => z.int().check(z.minimum(least), z.maximum(maxCount))

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
      description: 'The model that is asked.',
    }),
    max_tokens: setting(z._default(wholeFrom(1), configDefaults.max_tokens), {
      description: 'The longest answer, in tokens.',
    }),
    tool_timeout_secs: setting(z._default(wholeFrom(0), configDefaults.tool_timeout_secs), {
      description: 'Seconds a tool may run; 0 means no limit.',
    }),
    provider: setting(z.optional(z.string()), {
      description: 'Who is asked: anthropic, openai, gemini, openrouter, ollama, script, ...',
      example: 'anthropic',
    }),
    thinking: setting(z.optional(z.enum(['off', 'low', 'medium', 'high'])), {
      description: 'How much the model thinks before it answers; left to the provider when absent.',
      example: 'low',
    }),
    tools: setting(z.optional(z.array(z.string())), {
      description:
        'The tools a model is offered; bash, edit, read and write when absent. Further: search, ' +
        'mcp:<server>, mcp:<server>/<tool>.',
      example: ['bash', 'edit', 'read', 'search', 'write'],
    }),
    permission: setting(z._default(z.enum(['allow', 'ask']), configDefaults.permission), {
      description:
        'Whether an editor (zdx acp) is asked before a tool runs that may change something.',
      commented: true,
    }),
    stream: setting(z._default(z.boolean(), configDefaults.stream), {
      description: 'Whether answers arrive piece by piece.',
      commented: true,
    }),
    temperature: setting(z.optional(z.number().check(z.minimum(0), z.maximum(2))), {
      description: 'Sampling temperature; left to the provider when absent.',
      example: 0.7,
    }),
    system_prompt: setting(z.optional(z.string()), {
      description: 'Instructions for every conversation.',
      example: 'Answer briefly.',
    }),
    system_prompt_file: setting(z.optional(z.string()), {
      description: 'A file with those instructions; wins over system_prompt.',
      example: '/home/me/prompt.md',
    }),
    anthropic_base_url: setting(z.optional(z.string()), {
      description: 'Another address for the Anthropic API.',
      example: 'http://127.0.0.1:8080',
    }),
    openai_base_url: setting(z.optional(z.string()), {
      description: 'Another address for the OpenAI API, version included.',
      example: 'http://127.0.0.1:8080/v1',
    }),
    gemini_base_url: setting(z.optional(z.string()), {
      description: 'Another address for the Gemini API, version included.',
      example: 'http://127.0.0.1:8080/v1beta',
    }),
    openrouter_base_url: setting(z.optional(z.string()), {
      description: 'Another address for OpenRouter, version included.',
      example: 'http://127.0.0.1:8080/api/v1',
    }),
    providers: setting(z.optional(z.record(z.string(), provider)), {
      description: 'Further providers by name, and changes to those that are built in.',
      example: {
        mine: {
          wire: 'openai-chat',
          base_url: 'http://127.0.0.1:9000/v1',
          key_env: 'MINE_API_KEY',
          model: 'my-model',
        },
      },
    }),
    mcp: setting(z.optional(z.record(z.string(), mcpServer)), {
      description: 'MCP servers by name; their tools are offered when `tools` names them.',
      example: {
        files: { command: 'mcp-server-filesystem', args: ['.'] },
        remote: { url: 'https://example.com/mcp', key_env: 'REMOTE_MCP_KEY' },
      },
    }),
  }),
})

export type ZdxConfig = ConfigValues<typeof zdxConfig.schema>
