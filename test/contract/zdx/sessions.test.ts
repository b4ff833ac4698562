// Sessions: list, show, resume, and requests that stay valid whatever happened to the file.
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withServer } from './with-server.ts'

const at = withServer()

const ts = '2025-12-17T03:21:09Z'
const user = (text: string) => ({ type: 'message', role: 'user', text, ts })
const assistant = (text: string) => ({ type: 'message', role: 'assistant', text, ts })
const meta = { type: 'meta', schema_version: 1, ts }
const use = (id: string, name = 'bash') => ({
  type: 'tool_use',
  id,
  name,
  input: { command: 'ls' },
  ts,
})
const result = (id: string, output: unknown = { ok: true, data: { stdout: 'x' } }) => ({
  type: 'tool_result',
  tool_use_id: id,
  output,
  ok: true,
  ts,
})
const file = (id: string) => path.join(at.box.zdxHome, 'sessions', `${id}.jsonl`)
const lastMessages = () => at.server.requests.at(-1)?.body.messages ?? []

describe('zdx sessions list', () => {
  it('reports that there are no sessions', async () => {
    expect(await at.box.zdx(['sessions', 'list'])).toMatchObject({
      code: 0,
      stdout: 'No sessions found.\n',
    })
  })

  it('lists only session files, newest first, with the time in UTC', async () => {
    at.box.writeSession('old', [meta])
    at.box.writeSession('new', [meta])
    writeFileSync(path.join(at.box.zdxHome, 'sessions/notes.txt'), '')
    utimesSync(file('old'), 1_700_000_000, 1_700_000_000)
    utimesSync(file('new'), 1_700_000_100, 1_700_000_100)
    const expected = /^new {2}2023-11-14 22:15\b.*\nold {2}2023-11-14 22:13\b.*\n$/
    expect((await at.box.zdx(['sessions', 'list'])).stdout).toMatch(expected)
    expect((await at.box.zdx(['sessions'])).stdout).toMatch(expected)
  })
})

describe('zdx sessions show', () => {
  it('prints every type of line as Markdown', async () => {
    const interrupted = { type: 'interrupted', role: 'system', text: 'Interrupted', ts }
    const failed = { ...result('b', { ok: false, error: { code: 'x', message: 'y' } }), ok: false }
    at.box.writeSession('s', [
      meta,
      user('hi'),
      assistant('hello'),
      use('a'),
      result('a'),
      use('b', 'read'),
      failed,
      interrupted,
    ])
    const { code, stdout } = await at.box.zdx(['sessions', 'show', 's'])
    expect(code).toBe(0)
    const headings = stdout.split('\n').filter((line) => line.startsWith('### '))
    expect(headings).toEqual([
      '### Session (schema v1)',
      '### You',
      '### Assistant',
      '### Tool: bash',
      '### Result ✓',
      '### Tool: read',
      '### Result ✗',
      '### Interrupted',
    ])
    expect(stdout).toContain('### Tool: bash\n\n```sh\nls\n```\n')
    expect(stdout).toContain('### Result ✗\n\n```\ncode: x\nmessage: y\n```\n')
  })

  it('prints the schema version of the file', async () => {
    at.box.writeSession('s', [{ ...meta, schema_version: 2 }, user('hi')])
    const { stdout } = await at.box.zdx(['sessions', 'show', 's'])
    expect(stdout).toMatch(/^### Session \(schema v2\)\n/)
  })

  it('cuts a long result to 500 characters without splitting a character', async () => {
    at.box.writeSession('s', [
      use('a'),
      result('a', { ok: true, data: { stdout: '😀'.repeat(900) } }),
    ])
    const { stdout } = await at.box.zdx(['sessions', 'show', 's'])
    const shown = /### Result ✓\n\n```\n([\s\S]*)\n```/.exec(stdout)?.[1] ?? ''
    expect(shown.endsWith('...')).toBe(true)
    expect([...shown.slice(0, -3)]).toHaveLength(500)
    expect(stdout).not.toContain('\ufffd')
  })

  it('reports an empty or missing session', async () => {
    at.box.writeSession('empty', [])
    for (const id of ['empty', 'nowhere']) {
      expect(await at.box.zdx(['sessions', 'show', id])).toMatchObject({
        code: 0,
        stdout: `Session '${id}' is empty or not found.\n`,
      })
    }
  })
})

describe('zdx sessions resume', () => {
  it('continues the latest session with its complete history', async () => {
    at.box.writeSession('s', [meta, user('hi'), use('a'), result('a'), assistant('done')])
    const ran = await at.box.zdx(['sessions', 'resume'], { input: 'more\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toContain('Session: s\n')
    expect(ran.stderr).toContain('Loaded 4 previous messages\n')
    expect(lastMessages()).toHaveLength(5)
  })

  it('reports that there is nothing to resume', async () => {
    const ran = await at.box.zdx(['sessions', 'resume'], { input: '' })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('No sessions found to resume')
  })

  it('starts a new session for an unknown id', async () => {
    await at.box.zdx(['sessions', 'resume', 'fresh'], { input: 'hello\n' })
    expect(at.box.session('fresh')).toHaveLength(3)
  })
})

describe('a damaged session', () => {
  it.each([
    ['a torn last line', '{"type":"message","role":"us'],
    ['no newline at its end', JSON.stringify(user('last'))],
    ['binary rubbish', '\u0000\u0001\u00ff'],
    ['an unknown type', '{"type":"from_the_future","x":1}\n'],
    ['a call without a result', `${JSON.stringify(use('open'))}\n`],
    ['a result without a call', `${JSON.stringify(result('ghost'))}\n`],
    ['an empty answer', `${JSON.stringify(assistant(''))}\n`],
    [
      'a call with one id twice',
      [use('a'), result('a'), use('a'), result('a')]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    ],
    [
      'a call with a strange id',
      [use('ü/1'), result('ü/1')].map((line) => `${JSON.stringify(line)}\n`).join(''),
    ],
    ['two prompts in a row', `${JSON.stringify(user('again'))}\n`],
    ['lines that are not objects', '[]\n5\n"x"\nnull\n\n'],
    ['fields of the wrong type', '{"type":"tool_use","id":5}\n{"type":"message","role":"user"}\n'],
  ])('with %s can be continued and makes valid requests', async (_what, damage) => {
    at.box.writeSession('s', [meta, user('first'), assistant('answer')])
    appendFileSync(file('s'), damage)
    const ran = await at.box.exec('next', '--session', 's')
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
    const [first] = lastMessages()
    expect(first).toEqual({ role: 'user', content: 'first' })
    expect(JSON.stringify(lastMessages().at(-1))).toContain('next')
    const lines = readFileSync(file('s'), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ role: 'assistant', text: 'ok' })
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ role: 'user', text: 'next' })
  })

  it('in the old format without meta gets no meta line', async () => {
    at.box.writeSession('s', [
      { type: 'message', role: 'user', text: 'a', ts: '123:000Z' },
      { type: 'message', role: 'assistant', text: 'b', ts: '123:000Z' },
    ])
    await at.box.exec('c', '--session', 's')
    expect(at.box.session('s').map(({ type }) => type)).toEqual(Array(4).fill('message'))
  })

  it('continued by eight processes at once stays valid, with one meta line', async () => {
    const prompts = Array.from({ length: 8 }, (_each, index) => `p${index}`)
    await Promise.all(prompts.map((prompt) => at.box.exec(prompt, '--session', 's')))
    const lines = at.box.session('s')
    expect(lines).toHaveLength(17)
    expect(lines.filter(({ type }) => type === 'meta')).toHaveLength(1)
    expect(lines[0]).toMatchObject({ type: 'meta' })
    expect(await at.box.exec('after', '--session', 's')).toMatchObject({ code: 0 })
  })
})
