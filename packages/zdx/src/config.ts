// The configuration of zdx: one schema for defaults, checks, the template and the reference.
import { defineConfig, setting, type ConfigValues } from '@zee/core/config'
import * as z from 'zod/mini'

const unsigned32 = z.int().check(z.minimum(0), z.maximum(2 ** 32 - 1))

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
    model: setting(z._default(z.string(), 'claude-haiku-4-5'), {
      description: 'The model that is asked.',
    }),
    max_tokens: setting(z._default(unsigned32.check(z.minimum(1)), 1024), {
      description: 'The longest answer, in tokens.',
    }),
    tool_timeout_secs: setting(z._default(unsigned32, 30), {
      description: 'Seconds a tool may run; 0 means no limit.',
    }),
    provider: setting(z.optional(z.string()), {
      description: 'Who is asked: anthropic, openai, gemini, openrouter, ollama, script, ...',
      example: 'anthropic',
    }),
    stream: setting(z._default(z.boolean(), true), {
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
  }),
})

export type ZdxConfig = ConfigValues<typeof zdxConfig.schema>
