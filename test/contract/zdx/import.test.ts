// `zdx sessions import`: logs of other programs become sessions.
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withServer } from './with-server.ts'

const at = withServer()
const token = `ghp_${'a1B2'.repeat(9)}`
const zdx = (...args: string[]) => at.box.zdx(args)

function put(file: string, ...lines: (object | string)[]): string {
  const target = path.join(at.box.home, file)
  mkdirSync(path.dirname(target), { recursive: true })
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(target, texts.map((text) => `${text}\n`).join(''))
  return target
}
/** A zstd frame with one block that is stored as it is. */
function zstdFrame(bytes: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0])
  header.writeUInt32LE(bytes.length, 5)
  header.writeUIntLE(bytes.length * 8 + 1, 9, 3)
  return Buffer.concat([header, bytes])
}

const claudeUser = (content: unknown) => ({
  type: 'user',
  sessionId: 'abc',
  cwd: at.box.root,
  timestamp: '2026-03-01T10:00:00Z',
  message: { role: 'user', content },
})
const claudeAnswer = (text: string) => ({
  type: 'assistant',
  timestamp: '2026-03-01T10:00:05Z',
  message: {
    id: `m-${text}`,
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 10, output_tokens: 2 },
  },
})

describe('zdx sessions import', () => {
  it('imports a log once, counts what it cannot read, and leaves the log alone', async () => {
    const log = put(
      '.claude/projects/-app/abc.jsonl',
      claudeUser(`find the needle with ${token}`),
      claudeAnswer('found'),
      '{"torn',
    )
    const before = readFileSync(log, 'utf8')
    const first = await zdx('sessions', 'import', 'claude')
    expect(first).toMatchObject({
      code: 0,
      stdout:
        'claude: 1 imported, 0 updated, 0 unchanged; 1 records and 0 logs could not be read\n',
    })
    const session = at.box.session('claude-abc')
    expect(session[0]).toMatchObject({
      type: 'meta',
      root: at.box.root,
      ts: '2026-03-01T10:00:00Z',
      source: { program: 'claude', id: 'abc', file: log },
    })
    expect(JSON.stringify(session)).not.toContain(token)
    const again = await zdx('sessions', 'import', 'claude')
    expect(again.stdout).toContain('0 imported, 0 updated, 1 unchanged')
    expect(at.box.session('claude-abc')).toEqual(session)
    expect(readFileSync(log, 'utf8')).toBe(before)
  })

  it('reads a compressed log of Codex', async () => {
    const message = (role: string, text: string) => ({
      type: 'response_item',
      timestamp: '2026-03-01T10:00:00Z',
      payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
    })
    const meta = { type: 'session_meta', payload: { id: 'zipped', cwd: at.box.root } }
    const log = put('rollout-1.jsonl', meta, message('user', 'hi'), message('assistant', 'there'))
    const bytes = readFileSync(log)
    writeFileSync(`${log}.zst`, zstdFrame(bytes))
    const ran = await zdx('sessions', 'import', 'codex', `${log}.zst`)
    expect(ran.stdout).toContain('codex: 1 imported, 0 updated, 0 unchanged; 0 records and 0 logs')
    const texts = at.box.session('codex-zipped').map(({ text }) => text)
    expect(texts).toEqual([undefined, 'hi', 'there'])
  })

  it('makes sessions that the other commands understand', async () => {
    put('.claude/projects/-app/abc.jsonl', claudeUser('find the needle'), claudeAnswer('found'))
    await zdx('sessions', 'import', 'claude')
    expect((await zdx('sessions', 'list')).stdout).toMatch(/^claude-abc {2}2026-03-01 10:00 /)
    expect((await zdx('sessions', 'search', 'needle')).stdout).toContain('claude-abc  2  user')
    expect((await zdx('sessions', 'show', 'claude-abc')).stdout).toContain('### Assistant\n\nfound')
    expect((await zdx('sessions', 'stats', 'claude-abc')).stdout).toContain('claude-haiku-4-5')
    expect((await zdx('sessions', 'bill', 'claude-abc')).stdout).toContain('10 fresh')
    expect((await zdx('sessions', 'export', 'claude-abc')).stdout).toContain('found')
    expect((await zdx('verify', 'claude-abc')).code).toBe(0)
    expect((await at.box.exec('go on', '--session', 'claude-abc')).code).toBe(0)
    expect(at.server.requests[0]?.body.messages).toHaveLength(3)
  })

  it('updates a session whose log has grown, but not one that was continued', async () => {
    const log = put('.claude/projects/-app/abc.jsonl', claudeUser('one'), claudeAnswer('two'))
    await zdx('sessions', 'import', 'claude')
    appendFileSync(log, `${JSON.stringify(claudeUser('three'))}\n`)
    expect((await zdx('sessions', 'import', 'claude')).stdout).toContain('1 updated')
    expect(at.box.session('claude-abc')).toHaveLength(4)
    await at.box.exec('mine', '--session', 'claude-abc')
    expect((await zdx('sessions', 'import', 'claude')).stdout).toContain('1 unchanged')
    appendFileSync(log, `${JSON.stringify(claudeUser('four'))}\n`)
    expect((await zdx('sessions', 'import', 'claude')).stdout).toContain('1 kept')
    expect(JSON.stringify(at.box.session('claude-abc'))).toContain('mine')
  })

  it('updates a session after an import that could not be recorded', async () => {
    const log = put('.claude/projects/-app/abc.jsonl', claudeUser('one'), claudeAnswer('two'))
    const record = path.join(at.box.zdxHome, 'imports.jsonl')
    mkdirSync(record, { recursive: true })
    const failed = await zdx('sessions', 'import', 'claude')
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('imports.jsonl') })
    rmdirSync(record)
    await zdx('sessions', 'import', 'claude')
    appendFileSync(log, `${JSON.stringify(claudeUser('three'))}\n`)
    expect((await zdx('sessions', 'import', 'claude')).stdout).toContain('1 updated')
  })

  it('reads a named file or folder, and the storage of OpenCode', async () => {
    const codex = put('elsewhere/rollout-1.jsonl', {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ text: 'hi' }] },
    })
    expect((await zdx('sessions', 'import', 'codex', codex)).stdout).toContain('1 imported')
    expect((await zdx('sessions', 'import', 'codex', path.dirname(codex))).stdout).toContain(
      '1 unchanged',
    )
    const storage = '.local/share/opencode/storage'
    put(`${storage}/session/p/ses_1.json`, { id: 'ses_1', directory: at.box.root })
    put(`${storage}/message/ses_1/msg_1.json`, { id: 'msg_1', role: 'user', time: { created: 1 } })
    put(`${storage}/part/msg_1/prt_1.json`, { type: 'text', text: 'hello' })
    const env = { XDG_DATA_HOME: undefined }
    const ran = await at.box.zdx(['sessions', 'import', 'opencode', '--format', 'json'], { env })
    expect(JSON.parse(ran.stdout)).toEqual({ id: 'opencode-ses_1', stored: 'imported', unread: 0 })
  })

  it('fails if there is no log, and for a program that it does not know', async () => {
    const none = await zdx('sessions', 'import', 'pi')
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain('no logs of pi found (looked in ')
    expect((await zdx('sessions', 'import', 'other')).code).toBe(2)
  })
})
