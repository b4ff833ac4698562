// The sections about the model: its server, sampling, and the router with its fallbacks.
import { section, setting } from '@zee/core/config'
import * as z from 'zod/mini'
import type { ConfigDefaults } from './keys.ts'
import { key, optionalKey, socketKey, text, path, nonNegativeInteger, flag } from './keys.ts'

/** The names of `providers` of llm. A service must not load that table to read its settings. */
export const providerNames: readonly string[] = [
  ...['anthropic', 'openai', 'openai-responses', 'gemini', 'openrouter'],
  ...['ollama', 'lmstudio', 'llamacpp', 'script'],
]

const provider = z
  .string()
  .check(
    z.refine(
      (name) => name === '' || providerNames.includes(name),
      `must be empty or one of ${providerNames.join(', ')}`,
    ),
  )

export const apiSection = (defaults: ConfigDefaults) =>
  section(
    {
      base_url: key(text, defaults.baseUrl, 'Base URL of the API; a trailing slash is allowed'),
      key: setting(z._default(text, ''), {
        description: 'API key; empty: the environment variable LLM_API_KEY',
        secret: true,
      }),
      provider: setting(z._default(provider, defaults.provider), {
        description: `${providerNames.join(', ')}; empty: the OpenAI-compatible endpoint at base_url`,
        commented: defaults.provider === '',
      }),
      script: optionalKey(
        defaults.script,
        'Screenplay file of the script model, for provider "script"',
      ),
    },
    { description: 'The model server' },
  )

export const agentSection = section(
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
  provider: key(provider, '', 'As in [api]'),
  base_url: key(text, '', 'As in [api]'),
  key: setting(z._default(text, ''), { description: 'API key of this route', secret: true }),
  key_env: key(text, '', 'Environment variable with the key of this route'),
  model: setting(path, { description: 'Name of the model', example: 'llama3.2' }),
})

export const rtrSection = (defaults: ConfigDefaults) =>
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
