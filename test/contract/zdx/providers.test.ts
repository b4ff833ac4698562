// Every provider over its wire, one session across providers, and the choice without configuration.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeAnthropic, say } from '../../support/fake-anthropic.ts'
import type { FakeModels } from '../../support/fake-models.ts'
import { fakeModels } from '../../support/fake-models.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let server: FakeModels
beforeEach(async () => {
  box = createSandbox()
  server = await fakeModels([
    {
      text: 'Let me look.',
      calls: [
        { name: 'read', input: { path: 'a.txt' } },
        { name: 'bash', input: { command: 'echo hi' } },
      ],
    },
    { text: 'Done.' },
  ])
  box.put('a.txt', 'alpha')
})
afterEach(async () => {
  box.remove()
  await server.close()
})

/** Points all local providers to a closed port. */
const nowhere = {
  OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1',
  LMSTUDIO_BASE_URL: 'http://127.0.0.1:1/v1',
  LLAMACPP_BASE_URL: 'http://127.0.0.1:1/v1',
}

const wires: [string, () => Record<string, string>, string, string][] = [
  [
    'openai',
    () => ({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }),
    '/v1/chat/completions',
    'Bearer k',
  ],
  [
    'openai-responses',
    () => ({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }),
    '/v1/responses',
    'Bearer k',
  ],
  [
    'openrouter',
    () => ({ OPENROUTER_BASE_URL: `${server.url}/api/v1`, OPENROUTER_API_KEY: 'k' }),
    '/api/v1/chat/completions',
    'Bearer k',
  ],
  ['ollama', () => ({ OLLAMA_BASE_URL: `${server.url}/v1` }), '/v1/chat/completions', ''],
  ['lmstudio', () => ({ LMSTUDIO_BASE_URL: `${server.url}/v1` }), '/v1/chat/completions', ''],
  ['llamacpp', () => ({ LLAMACPP_BASE_URL: `${server.url}/v1` }), '/v1/chat/completions', ''],
]

describe.each(wires)('provider %s', (name, env, path, authorization) => {
  it('runs tools and answers', async () => {
    const args = ['exec', '-p', 'hi', '--provider', name, '--model', 'm:1', '--session', 's']
    const ran = await box.zdx(args, { env: env() })
    expect(ran).toMatchObject({ code: 0, stdout: 'Let me look.\nDone.\n' })
    expect(server.requests.map((request) => request.path)).toEqual([path, path])
    expect(server.requests[0]?.headers.authorization ?? '').toBe(authorization)
    expect(server.requests[0]?.body).toMatchObject({ model: 'm:1', stream: true })
    expect(box.session('s').map(({ type }) => type)).toEqual([
      'meta',
      'message',
      'message',
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      'message',
    ])
    expect(box.session('s').at(-1)).toMatchObject({ provider: name, model: 'm:1' })
    expect(ran.stderr).toContain('ctx 20')
  })
})

describe('provider gemini', () => {
  it('runs tools that have no call ids and answers', async () => {
    const env = { GEMINI_BASE_URL: `${server.url}/v1beta`, GEMINI_API_KEY: 'k' }
    const args = ['exec', '-p', 'hi', '--model', 'gemini:gemini-2.5-flash', '--session', 's']
    const ran = await box.zdx(args, { env })
    expect(ran).toMatchObject({ code: 0, stdout: 'Let me look.\nDone.\n' })
    expect(server.requests[0]?.path).toBe(
      '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    )
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe('k')
  })
})

describe('a session', () => {
  it('can be continued with another provider', async () => {
    const anthropic = await fakeAnthropic(say('from anthropic'))
    const env = {
      ...anthropic.env,
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'k',
      GEMINI_BASE_URL: `${server.url}/v1beta`,
      GEMINI_API_KEY: 'k',
    }
    const models = [
      'openai:gpt-x',
      'claude-haiku-4-5',
      'gemini:gemini-3-pro',
      'openai-responses:gpt-x',
    ]
    for (const model of models) {
      const args = ['exec', '-p', `ask ${model}`, '--session', 's', '--model', model]
      expect(await box.zdx(args, { env })).toMatchObject({ code: 0 })
    }
    await anthropic.close()
    expect(anthropic.requests).toHaveLength(1)
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('from anthropic')
  })
})

describe('the choice of the model', () => {
  const ask = (model: string, ...args: string[]) =>
    box.zdx(['exec', '-p', 'hi', '--model', model, ...args], {
      env: { OLLAMA_BASE_URL: `${server.url}/v1` },
    })
  const asked = () => server.requests.at(-1)?.body.model

  it('splits provider:model only if the prefix names a provider', async () => {
    await ask('ollama:qwen2.5:7b')
    expect(asked()).toBe('qwen2.5:7b')
    await ask('qwen2.5:7b', '--provider', 'ollama')
    expect(asked()).toBe('qwen2.5:7b')
    await ask('openai:x', '--provider', 'ollama')
    expect(asked()).toBe('openai:x')
  })

  it('accepts a provider of the configuration', async () => {
    box.config(
      `[providers.mine]\nwire = "openai-chat"\nbase_url = "${server.url}/x/v1"\nkey_env = "MINE_KEY"\nmodel = "m1"\n`,
    )
    const ran = await box.zdx(['exec', '-p', 'hi', '--provider', 'mine'], {
      env: { MINE_KEY: 'secret' },
    })
    expect(ran).toMatchObject({ code: 0 })
    expect(server.requests[0]).toMatchObject({
      path: '/x/v1/chat/completions',
      headers: { authorization: 'Bearer secret' },
      body: { model: 'm1' },
    })
    const without = await box.zdx(['exec', '-p', 'hi', '--model', 'mine:m2'])
    expect(without.code).toBe(1)
    expect(without.stderr).toContain('MINE_KEY environment variable is not set')
  })

  it('hides the key of a configured provider from commands', async () => {
    box.config(
      `[providers.mine]\nwire = "openai-chat"\nbase_url = "${server.url}/v1"\nkey_env = "MINE_KEY"\n`,
    )
    const own = await fakeModels([
      { calls: [{ name: 'bash', input: { command: 'echo "[$MINE_KEY]"' } }] },
      { text: 'ok' },
    ])
    box.config(
      `[providers.mine]\nwire = "openai-chat"\nbase_url = "${own.url}/v1"\nkey_env = "MINE_KEY"\n`,
    )
    await box.zdx(['exec', '-p', 'hi', '--model', 'mine:m'], { env: { MINE_KEY: 'secret-key-1' } })
    await own.close()
    expect(JSON.stringify(own.requests[1]?.body)).toContain('[]')
    expect(JSON.stringify(own.requests[1]?.body)).not.toContain('secret-key-1')
  })

  it('accepts another wire for a built-in provider', async () => {
    box.config('[providers.openai]\nwire = "openai-responses"\n')
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }
    await box.zdx(['exec', '-p', 'hi', '--model', 'openai:m'], { env })
    expect(server.requests[0]?.path).toBe('/v1/responses')
  })

  it('rejects an unknown provider', async () => {
    const ran = await box.exec('hi', '--provider', 'missing')
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain("unknown provider 'missing'")
    expect(box.sessionIds()).toEqual([])
  })

  it('falls back to a running local server and says so', async () => {
    const env = { ...nowhere, LMSTUDIO_BASE_URL: `${server.url}/v1` }
    const ran = await box.zdx(['exec', '-p', 'hi'], { env })
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('No key is set: using the local server lmstudio:first-model')
    expect(asked()).toBe('first-model')
  })

  it('fails without key and local server and names the ways to start', async () => {
    const ran = await box.zdx(['exec', '-p', 'hi'], { env: nowhere })
    expect(ran.code).toBe(1)
    for (const way of ['ANTHROPIC_API_KEY environment variable is not set', 'ollama', 'script']) {
      expect(ran.stderr).toContain(way)
    }
    expect(box.sessionIds()).toEqual([])
  })
})

describe('a named local server that does not run', () => {
  it('is a runtime error, not a usage error', async () => {
    const ran = await box.zdx(['exec', '-p', 'hi', '--provider', 'ollama'], { env: nowhere })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('cannot list the models of ollama: Connection failed: ')
  })
})

describe('zdx models', () => {
  it('lists the available models and says why other providers have none', async () => {
    const env = {
      ...nowhere,
      OLLAMA_BASE_URL: `${server.url}/v1`,
      GEMINI_BASE_URL: `${server.url}/v1beta`,
      GEMINI_API_KEY: 'k',
    }
    const ran = await box.zdx(['models'], { env })
    expect(ran.code).toBe(0)
    expect(ran.stdout.split('\n')).toEqual([
      'gemini:first-model',
      'gemini:second-model',
      'ollama:first-model',
      'ollama:second-model',
      '',
    ])
    expect(ran.stderr).toContain('anthropic: no key (set ANTHROPIC_API_KEY')
    expect(ran.stderr).toMatch(/^lmstudio: Connection failed/m)
  })

  it('names three ways to start if no model is available', async () => {
    const ran = await box.zdx(['models'], { env: nowhere })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('Three ways to start')
  })

  it('fails for a provider that does not answer', async () => {
    const ran = await box.zdx(['models', 'ollama'], { env: nowhere })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
  })
})
