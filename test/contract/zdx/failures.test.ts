// Failures as users see them: one clear line, the right exit code, no lost data.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import {
  event,
  messageEnd,
  messageStart,
  openStream,
  say,
  status,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { withServer } from './with-server.ts'

const at = withServer()

describe('a model failure', () => {
  it('prints status and message, the raw body as details, and exits 1', async () => {
    at.respond = status(400, 'bad thing')
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('Error [http_status]: HTTP 400: bad thing\n')
    expect(ran.stderr).toMatch(/^ {2}Details: \{"type":"error"/m)
    expect(ran.stderr.split('HTTP 400: bad thing')).toHaveLength(2)
    expect(ran.stderr).not.toContain('    at ')
    expect(at.server.requests).toHaveLength(1)
  })

  it.each([401, 403, 404])('is not retried for HTTP %i', async (code) => {
    at.respond = status(code, 'no')
    await at.box.exec('hi')
    expect(at.server.requests).toHaveLength(1)
  })

  it.each([429, 500, 529])(
    'is retried up to three requests for HTTP %i, with a line for each',
    async (code) => {
      at.respond = status(code, 'busy', { 'retry-after': '0' })
      const ran = await at.box.exec('hi')
      expect(ran.code).toBe(1)
      expect(at.server.requests).toHaveLength(3)
      expect(ran.stderr).toContain('trying again')
    },
  )

  it('is recovered by a successful retry', async () => {
    at.respond = (request, response) =>
      (at.server.requests.length < 3 ? status(529, 'x', { 'retry-after': '0' }) : say('fine'))(
        request,
        response,
      )
    expect(await at.box.exec('hi')).toMatchObject({ code: 0, stdout: 'fine\n' })
  })

  it('leaves streamed text on stdout when an error event follows', async () => {
    at.respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart() + textDelta('partial'))
      response.end(
        event({ type: 'error', error: { type: 'overloaded_error', message: 'too much' } }),
      )
    }
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: 'partial\n' })
    expect(ran.stderr).toContain('Error [api_error]: overloaded_error: too much\n')
    expect(at.server.requests).toHaveLength(1)
  })

  it('treats a stream that ends early as an error, not as a short answer', async () => {
    at.respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart() + textDelta('half'))
      setTimeout(() => response.destroy(), 50)
    }
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: 'half\n' })
    expect(ran.stderr).toContain('Stream error')
  })

  it('reports a refused connection', async () => {
    await at.server.close()
    const ran = await at.box.exec('hi')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('Error [timeout]: Connection failed:')
  })

  it('names the missing key and writes nothing', async () => {
    const ran = await at.box.zdx(['exec', '-p', 'hi'], { env: { ANTHROPIC_API_KEY: '' } })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('ANTHROPIC_API_KEY environment variable is not set')
    expect(ran.stderr).toContain('script')
    expect(at.box.sessionIds()).toEqual([])
  })

  it('rejects an invalid base URL before any request', async () => {
    const ran = await at.box.zdx(['exec', '-p', 'hi'], { env: { ANTHROPIC_BASE_URL: 'not a url' } })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('Invalid Anthropic base URL: not a url')
  })

  it('never prints the key, even if the server echoes it', async () => {
    at.respond = status(401, 'key test-key-0123456789 is wrong')
    const ran = await at.box.exec('hi')
    expect(ran.stderr).not.toContain('test-key-0123456789')
  })

  it.each([
    'prompt is too long: 250000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000',
    "This model's maximum context length is 128000 tokens",
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'the request exceeds the available context size, try increasing it',
  ])('suggests zdx handoff when the context is full: %s', async (words) => {
    at.respond = status(400, words)
    expect((await at.box.exec('hi')).stderr).toContain('zdx handoff')
  })

  it('leaves a session that the next prompt can continue', async () => {
    at.respond = status(400, 'no')
    await at.box.exec('first', '--session', 's')
    at.respond = say('ok')
    expect(await at.box.exec('second', '--session', 's')).toMatchObject({ code: 0 })
    expect(at.server.requests.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'first\n\nsecond' },
    ])
  })
})

describe('an answer that ends early', () => {
  it('reports the stop reason of the vendor', async () => {
    at.respond = (_request, response) => {
      openStream(response)
      response.end(messageStart() + textStart() + textDelta('so far') + messageEnd('pause_turn'))
    }
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 0, stdout: 'so far\n' })
    expect(ran.stderr).toContain('Warning: The model stopped early (pause_turn)\n')
  })
})

describe('a broken configuration', () => {
  it.each([
    ['max_tokens = "lots"\n', 'max_tokens'],
    ['max_tokens = -1\n', 'max_tokens'],
    ['tool_timeout_secs = 1.5\n', 'tool_timeout_secs'],
    ['model = \n', 'line 1'],
    ['model = "a"\nmodel = "b"\n', 'line 2'],
  ])('is reported with file and line: %j', async (toml, named) => {
    at.box.config(toml)
    const ran = await at.box.exec('hi')
    const file = path.join(at.box.zdxHome, 'config.toml')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^load config: [^\n]+\n$/)
    expect(ran.stderr).toContain(`Failed to parse config from ${file}`)
    expect(ran.stderr).toContain(named)
    expect(at.server.requests).toHaveLength(0)
  })

  it('is reported if it cannot be read', async () => {
    mkdirSync(path.join(at.box.zdxHome, 'config.toml'))
    expect((await at.box.exec('hi')).stderr).toContain('Failed to read config from')
  })

  it('does not affect config path, config init, help and version', async () => {
    at.box.config('= nonsense')
    expect(await at.box.zdx(['config', 'path'])).toMatchObject({ code: 0 })
    expect((await at.box.zdx(['config', 'init'])).stderr).toContain('Config file already exists at')
    expect(await at.box.zdx(['--version'])).toMatchObject({ code: 0 })
  })

  it('is only a warning for an unknown key', async () => {
    at.box.config('from_the_future = 1\n')
    const ran = await at.box.exec('hi')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/Warning: .*from_the_future/)
  })

  it('is reported with the name of an unreadable prompt file', async () => {
    at.box.config('system_prompt_file = "/nowhere/x.md"\n')
    const ran = await at.box.exec('hi')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('Failed to read system prompt file: /nowhere/x.md')
  })
})

describe('a full disk or a missing folder', () => {
  it('is reported in one line if the session cannot be written', async () => {
    writeFileSync(path.join(at.box.zdxHome, 'sessions'), 'a file, not a folder')
    const ran = await at.box.exec('hi')
    expect(ran.code).toBe(1)
    expect(ran.stderr).not.toContain('    at ')
    expect(at.server.requests).toHaveLength(0)
  })

  it('is a tool error if the root does not exist', async () => {
    expect(await at.box.exec('hi', '--root', '/nowhere/at/all')).toMatchObject({ code: 0 })
  })

  it('is an error if the answer cannot be written', async () => {
    if (!existsSync('/dev/full')) return
    const file = openSync('/dev/full', 'w')
    const child = spawn(builtProgram('zdx'), ['exec', '-p', 'hi'], {
      cwd: at.box.root,
      env: { ...process.env, ...at.box.env },
      stdio: ['ignore', file, 'pipe'],
    })
    closeSync(file)
    const said = text(child.stderr as Readable)
    const [code] = await once(child, 'close')
    const stderr = await said
    expect(code).toBe(1)
    expect(stderr).toContain('execute prompt: cannot write the answer: the disk is full\n')
  })
})
