// Resolves the base URL and the API key of a provider.
import { oneLine, ZeeError } from '@zee/core/errors'
import { ModelError } from '../errors/errors.ts'
import type { Environment } from '../transport/transport.ts'
import type { ProviderRow } from './providers.ts'

/** Environment, then configuration, then the row; drops trailing slashes, keeps a path prefix. */
export function resolveBaseUrl(
  row: ProviderRow,
  environment: Environment,
  configured: string | undefined,
): URL {
  const fromEnvironment = row.baseUrlVariable ? environment[row.baseUrlVariable] : undefined
  const value = [fromEnvironment, configured, row.baseUrl]
    .map((text) => text?.trim() ?? '')
    .find((text) => text !== '')
  const url = parseHttpUrl(value ?? '')
  if (url === undefined) {
    // The part before an @ may be a password.
    const shown = oneLine(value ?? '').replace(/^.*@/, '[redacted]@')
    throw new ZeeError('base_url', `Invalid ${row.title} base URL: ${shown}`)
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** The key in the environment, else the stored one; undefined if both are blank. */
export function findApiKey(
  row: ProviderRow,
  environment: Environment,
  stored: string | undefined,
): string | undefined {
  const fromEnvironment = row.keyVariable ? environment[row.keyVariable] : undefined
  return fromEnvironment?.trim() || stored?.trim() || undefined
}

/** Throws if the provider needs a key and `key` is undefined. */
export function requireApiKey(row: ProviderRow, key: string | undefined): void {
  if (key !== undefined || row.keyVariable === undefined || row.keyOptional === true) return
  throw new ModelError(
    'internal',
    `${row.keyVariable} environment variable is not set: set it to your ${row.title} API key, ` +
      'or choose a provider that needs none (a local server: ollama, lmstudio, llamacpp; or script)',
    { code: 'missing_key' },
  )
}

function parseHttpUrl(text: string): URL | undefined {
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
  } catch {
    return undefined
  }
}
