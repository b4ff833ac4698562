import { describe, expect, it } from 'vitest'
import { endpointUrl } from '../transport/transport.ts'
import { resolveBaseUrl, findApiKey, requireApiKey } from './endpoint.ts'
import { findProvider, providers, type ProviderRow } from './providers.ts'

const row = (name: string): ProviderRow => {
  const found = findProvider(name)
  if (found === undefined) throw new Error(name)
  return found
}
const anthropic = row('anthropic')
const base = (environment: Record<string, string>, configured?: string): string =>
  endpointUrl(resolveBaseUrl(anthropic, environment, configured), '/v1/messages').href

describe('the base URL', () => {
  it('comes from the environment, then the configuration, then the provider; blank counts as unset', () => {
    const environment = { ANTHROPIC_BASE_URL: ' http://env.test ' }
    expect(base(environment, 'http://config.test')).toBe('http://env.test/v1/messages')
    expect(base({ ANTHROPIC_BASE_URL: '  ' }, 'http://config.test')).toBe(
      'http://config.test/v1/messages',
    )
    expect(base({}, ' ')).toBe('https://api.anthropic.com/v1/messages')
  })

  it('loses its trailing slashes and keeps its path and query', () => {
    expect(base({}, 'http://a.test:8080/prefix//')).toBe('http://a.test:8080/prefix/v1/messages')
    expect(base({}, 'http://a.test/p/?version=2')).toBe('http://a.test/p/v1/messages?version=2')
    const gemini = resolveBaseUrl(row('gemini'), {}, 'http://g.test/v1beta/?x=1')
    expect(endpointUrl(gemini, '/models/m:streamGenerateContent?alt=sse').href).toBe(
      'http://g.test/v1beta/models/m:streamGenerateContent?x=1&alt=sse',
    )
  })

  it.each(['not a url', 'localhost:8080', 'ftp://a.test', 'http://', '//a.test'])(
    'is rejected with the name of the provider if it is %s',
    (value) => {
      expect(() => base({ ANTHROPIC_BASE_URL: value })).toThrow(
        expect.objectContaining({ message: `Invalid Anthropic base URL: ${value}`, exitCode: 1 }),
      )
    },
  )

  it('is rejected with a message that hides its password', () => {
    const refused = (value: string): void => void base({ ANTHROPIC_BASE_URL: value })
    expect(() => refused('https//me:pass/word@a.test/v1')).toThrow(
      /^Invalid Anthropic base URL: \[redacted\]@a\.test\/v1$/,
    )
  })

  it('is rejected with the title of the provider it belongs to', () => {
    expect(() =>
      resolveBaseUrl(row('openrouter'), { OPENROUTER_BASE_URL: 'x' }, undefined),
    ).toThrow('Invalid OpenRouter base URL: x')
    expect(() => resolveBaseUrl(row('lmstudio'), {}, 'x')).toThrow('Invalid LM Studio base URL: x')
  })
})

describe('the API key', () => {
  it('comes from the environment before the store; an empty key counts as missing', () => {
    expect(findApiKey(anthropic, { ANTHROPIC_API_KEY: ' k1\n' }, 'k2')).toBe('k1')
    expect(findApiKey(anthropic, { ANTHROPIC_API_KEY: ' ' }, 'k2')).toBe('k2')
    expect(findApiKey(anthropic, { ANTHROPIC_API_KEY: '' }, undefined)).toBeUndefined()
  })

  it('is reported as missing with its variable and with alternatives', () => {
    const wanted =
      /^ANTHROPIC_API_KEY environment variable is not set: .*ollama, lmstudio, llamacpp; or script/
    expect(() => requireApiKey(anthropic, undefined)).toThrow(wanted)
    expect(() => requireApiKey(row('gemini'), undefined)).toThrow(
      'GEMINI_API_KEY environment variable is not set',
    )
  })

  it('is optional for local servers and scripts', () => {
    for (const local of providers.filter((row) => row.local)) {
      expect(() => requireApiKey(local, undefined)).not.toThrow()
    }
    expect(providers.filter((row) => row.local).map(({ name }) => name)).toEqual([
      'ollama',
      'lmstudio',
      'llamacpp',
      'script',
    ])
  })
})
