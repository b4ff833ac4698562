// `--format json`: a stream of events with the exit codes of the text format.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { answer, say, status } from '../../support/fake-anthropic.ts'
import { repository } from '../../support/paths.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer(say('Hel', 'lo'))

const published = z.fromJSONSchema(
  JSON.parse(readFileSync(path.join(repository, 'docs/zdx-events.schema.json'), 'utf8')) as never,
)

/** Parses the lines and checks each against the published schema. */
function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => published.parse(JSON.parse(line)) as Record<string, unknown>)
}

describe('--format json', () => {
  it('writes a meta line, the events and an end line, and nothing else', async () => {
    const ran = await at.box.exec('hi', '--format', 'json', '--session', 's')
    const lines = linesOf(ran.stdout)
    expect(ran.code).toBe(0)
    expect(lines[0]).toMatchObject({
      type: 'meta',
      schema_version: 1,
      session: 's',
      provider: 'anthropic',
      root: at.box.root,
    })
    const text = lines.filter(({ type }) => type === 'assistant_delta').map(({ text }) => text)
    expect(text.join('')).toBe('Hello')
    expect(lines.slice(-4)).toEqual([
      {
        type: 'usage',
        usage: { input_tokens: 12, output_tokens: 7 },
        duration_ms: expect.any(Number),
        cost_usd: expect.any(Number),
      },
      { type: 'assistant_final', text: 'Hello' },
      { type: 'turn_end', reason: 'done' },
      { type: 'end', reason: 'done', exit_code: 0 },
    ])
  })

  it('writes tool events with their envelopes', async () => {
    at.box.put('a.txt', 'alpha')
    at.respond = inTurn(
      answer({ tool: 'read', input: { path: 'a.txt' }, id: 'toolu_1' }),
      say('done'),
    )
    const lines = linesOf((await at.box.exec('hi', '--format', 'json')).stdout)
    expect(lines.filter(({ type }) => String(type).startsWith('tool_'))).toEqual([
      { type: 'tool_requested', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } },
      { type: 'tool_started', id: 'toolu_1', name: 'read' },
      {
        type: 'tool_finished',
        id: 'toolu_1',
        result: { ok: true, data: expect.objectContaining({ content: 'alpha' }) },
      },
    ])
  })

  it('writes an error event, prints the error on stderr and exits 1', async () => {
    at.respond = status(400, 'bad thing')
    const ran = await at.box.exec('hi', '--format', 'json')
    expect(ran.code).toBe(1)
    expect(linesOf(ran.stdout).slice(1)).toEqual([
      {
        type: 'error',
        kind: 'http_status',
        message: 'HTTP 400: bad thing',
        details: expect.any(String),
      },
      { type: 'turn_end', reason: 'error' },
      { type: 'end', reason: 'error', exit_code: 1 },
    ])
    expect(ran.stderr).toContain('execute prompt: HTTP 400: bad thing')
  })

  it('writes an event for every retry', async () => {
    at.respond = (request, response) =>
      (at.server.requests.length < 2 ? status(529, 'x', { 'retry-after': '0' }) : say('ok'))(
        request,
        response,
      )
    const lines = linesOf((await at.box.exec('hi', '--format', 'json')).stdout)
    expect(lines[1]).toMatchObject({ type: 'retry', attempt: 1, attempts: 3, delay_ms: 0 })
  })

  it('writes one stream for an entire chat', async () => {
    const ran = await at.box.zdx(['--format', 'json'], { input: 'one\ntwo\n:q\n' })
    const types = linesOf(ran.stdout).map(({ type }) => type)
    expect(types.filter((type) => type === 'meta')).toHaveLength(1)
    expect(types.filter((type) => type === 'turn_end')).toHaveLength(2)
    expect(types.at(-1)).toBe('end')
  })

  it('ends with reason and exit code after an interrupt', async () => {
    at.respond = () => {}
    const child = at.box.start(['exec', '-p', 'go', '--format', 'json'])
    let stdout = ''
    child.stdout?.on('data', (chunk) => (stdout += chunk))
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    while (at.server.requests.length === 0) await new Promise(setImmediate)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(linesOf(stdout).slice(-3)).toEqual([
      { type: 'interrupted' },
      { type: 'turn_end', reason: 'interrupted' },
      { type: 'end', reason: 'interrupted', exit_code: 130 },
    ])
  })

  it('rejects an unknown format', async () => {
    expect(await at.box.exec('hi', '--format', 'xml')).toMatchObject({ code: 2, stdout: '' })
    expect(at.server.requests).toHaveLength(0)
  })

  it.each([
    ['a prompt', ['exec', '-p', 'hi']],
    ['a chat', []],
    ['a resumed session', ['sessions', 'resume', 's']],
  ])('writes the same events for a failure before the first request: %s', async (_name, args) => {
    at.box.config('max_tokens = "lots"\n')
    const ran = await at.box.zdx([...args, '--format', 'json'], { input: 'hi\n' })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^load config: Failed to parse config from .*\n$/)
    expect(linesOf(ran.stdout)).toMatchObject([
      { type: 'meta', schema_version: 1, session: null, provider: null },
      { type: 'error', kind: 'internal', message: expect.stringContaining('max_tokens') },
      { type: 'end', reason: 'error', exit_code: 1 },
    ])
    expect(at.server.requests).toHaveLength(0)
  })
})
