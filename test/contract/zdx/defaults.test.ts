// What zdx asks for and allows without a configuration: output, time, windows of files, images, the prompt.
import { describe, expect, it } from 'vitest'
import { answer, refuse, say } from '../../support/fake-anthropic.ts'
import { startWireServer, wires } from './wire-servers.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()
const bodies = () => at.server.requests.map(({ body }) => body)

/** The envelope of the only call of a turn. */
async function resultOf(tool: string, input: Record<string, unknown>) {
  at.respond = inTurn(answer({ tool, input }), say('done'))
  await at.box.exec('go', '--session', 's')
  const line = at.box.session('s').findLast(({ type }) => type === 'tool_result')
  return line?.output as { ok: boolean; data: Record<string, unknown> }
}

describe('the output limit of a request', () => {
  it('is 16384 tokens for an unknown model of the Anthropic wire', async () => {
    await at.box.exec('hi', '--model', 'unknown-model')
    expect(bodies()[0]?.max_tokens).toBe(16_384)
  })

  it.each(wires.filter(({ name }) => name !== 'anthropic'))(
    'is left out for an unknown model over $name',
    async (wire) => {
      const server = await startWireServer()
      try {
        server.respond = (response) => void response.end(wire.answer('ok', [1, 1]))
        const args = ['exec', '-p', 'hi', '--provider', wire.name, '--model', 'unknown-model']
        expect((await at.box.zdx(args, { env: wire.env(server.url) })).code).toBe(0)
        expect(server.bodies[0]).not.toMatch(/max_?(completion_|output_?)?tokens/i)
        // As over the Anthropic wire, the first request in an empty folder is small.
        expect(Buffer.byteLength(server.bodies[0] ?? '')).toBeLessThanOrEqual(1536)
      } finally {
        await server.close()
      }
    },
  )

  it('follows the smaller limit that a refusal names, once, and keeps it for the process', async () => {
    const message = 'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens'
    at.respond = inTurn(
      (_request, response) => refuse(response, 400, 'invalid_request_error', message),
      answer({ tool: 'bash', input: { command: 'true' } }),
      say('done'),
    )
    expect(await at.box.exec('hi')).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([64_000, 8192, 8192])
  })
})

describe('the time limit of a command', () => {
  it.each([
    ['the call', 'tool_timeout_secs = 60\n', 1, 'The limit is timeout_secs of this call.'],
    ['the configuration', 'tool_timeout_secs = 1\n', 60, 'The limit is tool_timeout_secs of the'],
  ])('is that of %s if it is smaller, and the result says so', async (_whose, toml, secs, hint) => {
    at.box.config(toml)
    const { data } = await resultOf('bash', { command: 'sleep 300', timeout_secs: secs })
    expect(data).toMatchObject({
      timed_out: true,
      stderr: 'Command timed out after 1 seconds',
      hint: expect.stringContaining(hint),
    })
  })

  it('is 600 seconds by default', async () => {
    const { stdout } = await at.box.zdx(['config', 'show'])
    expect(stdout).toContain('tool_timeout_secs = 600  # default\n')
  })
})

describe('the read tool', () => {
  const lines = Array.from({ length: 20_000 }, (_none, index) => `line ${index + 1}\n`).join('')

  it('returns a window of lines with its place', async () => {
    at.box.put('long.txt', lines)
    const { data } = await resultOf('read', { path: 'long.txt', offset: 120, limit: 2 })
    expect(data).toMatchObject({ start_line: 120, end_line: 121, total_lines: 20_000 })
    expect(data.content).toBe('line 120\nline 121\n')
  })

  it('names the next offset of a file that it truncates', async () => {
    at.box.put('long.txt', lines)
    const { data } = await resultOf('read', { path: 'long.txt' })
    expect(data).toMatchObject({ truncated: true, next_offset: expect.any(Number) })
    const last = String(data.content).split('\n').at(-1) ?? '?'
    expect(`line ${String(data.next_offset)}`.startsWith(last)).toBe(true)
  })

  it.each([
    ['png', '89504e470d0a1a0a', 'image/png'],
    ['jpeg', 'ffd8ffe000104a46', 'image/jpeg'],
    ['gif', '474946383961', 'image/gif'],
    ['webp', '52494646240000005745425056503820', 'image/webp'],
  ])('sends a %s file as an image', async (name, hex, mediaType) => {
    at.box.put(`picture.${name}`, Buffer.from(hex, 'hex'))
    await resultOf('read', { path: `picture.${name}` })
    expect(at.server.requests[1]?.raw).toContain(`"media_type":"${mediaType}"`)
  })

  it('describes an image above 5 MB in one line', async () => {
    at.box.put(
      'big.png',
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(6e6)]),
    )
    const { data } = await resultOf('read', { path: 'big.png' })
    expect(data.content).toMatch(/^Image: image\/png, 6000008 bytes, too large to show/)
    expect(at.server.requests[1]?.raw).not.toContain('"media_type"')
  })
})

describe('a configured system prompt or provider', () => {
  it('that is empty means none', async () => {
    at.box.config('system_prompt = ""\n')
    await at.box.exec('hi')
    expect(bodies()[0]).not.toHaveProperty('system')
  })

  it('that does not exist is an error of the configuration, exit 1', async () => {
    at.box.config('provider = "nowhere"\n')
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain("unknown provider 'nowhere'")
  })
})
