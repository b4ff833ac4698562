// Sessions belong to a project: scope of commands, prefixes of ids, JSON output.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withServer } from './with-server.ts'

const at = withServer()
const elsewhere = () => path.join(at.box.base, 'elsewhere')
const zdx = (...args: string[]) => at.box.zdx(args)
const meta = (root?: string) => ({
  type: 'meta',
  schema_version: 1,
  ts: '2026-01-01T00:00:00Z',
  root,
})
const prompt = (text: string) => ({ type: 'message', role: 'user', text, ts: '' })
let age = 0

/** A later call writes an older session. */
function session(id: string, root: string | undefined, text: string): void {
  at.box.writeSession(id, [meta(root), prompt(text)])
  age += 60
  const time = Date.now() / 1000 - age
  utimesSync(path.join(at.box.zdxHome, 'sessions', `${id}.jsonl`), time, time)
}
const ids = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ')[0])

beforeEach(() => {
  age = 0
  mkdirSync(elsewhere())
})

describe('the root in the meta line', () => {
  it('is the canonical top level of the git repository around --root', async () => {
    mkdirSync(path.join(at.box.root, '.git'))
    mkdirSync(path.join(at.box.root, 'sub'))
    await at.box.exec('hi', '--session', 'one', '--root', 'sub')
    expect(at.box.session('one')[0]).toMatchObject({ type: 'meta', root: at.box.root })
  })

  it('is --root outside a repository', async () => {
    await at.box.exec('hi', '--session', 'one', '--root', elsewhere())
    expect(at.box.session('one')[0]).toMatchObject({ root: elsewhere() })
  })
})

describe('a command without an id', () => {
  it('uses the newest session of this project', async () => {
    session('other', elsewhere(), 'other prompt')
    session('mine', at.box.root, 'my prompt')
    session('old', at.box.root, 'old prompt')
    for (const command of [['show'], ['export'], ['show', '--format', 'json']]) {
      expect((await zdx('sessions', ...command)).stdout).toContain('my prompt')
    }
    expect((await zdx('sessions', 'show', '--all')).stdout).toContain('other prompt')
    await at.box.exec('next', '-c')
    expect(at.box.session('mine')).toHaveLength(4)
    expect((await zdx('handoff', '--goal', 'g')).stdout).toContain('my prompt')
  })

  it('uses a session without a root in every project', async () => {
    session('other', elsewhere(), 'other prompt')
    session('free', undefined, 'free prompt')
    expect((await zdx('sessions', 'show')).stdout).toContain('free prompt')
  })

  it('names --all if only other projects have sessions', async () => {
    session('other', elsewhere(), 'other prompt')
    for (const args of [
      ['sessions', 'resume'],
      ['sessions', 'show'],
      ['sessions', 'diff'],
      ['sessions', 'undo'],
      ['sessions', 'export'],
      ['sessions', 'stats'],
      ['exec', '-c', '-p', 'x'],
      ['handoff', '--goal', 'g'],
    ]) {
      const ran = await zdx(...args)
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain('--all')
    }
    expect(at.server.requests).toHaveLength(0)
    expect((await at.box.exec('x', '-c', '--all')).code).toBe(0)
    expect(at.box.session('other')).toHaveLength(4)
  })

  it('starts a session with -c if there is none at all', async () => {
    expect((await at.box.exec('x', '-c')).code).toBe(0)
    expect(at.box.sessionIds()).toHaveLength(1)
  })
})

describe('a prefix of an id', () => {
  beforeEach(() => {
    session('abcdef01', at.box.root, 'first')
    session('abcdee02', at.box.root, 'second')
    session('abcd', at.box.root, 'exact')
  })

  it('names the session if it is unique and has four characters', async () => {
    expect((await zdx('sessions', 'show', 'abcdef')).stdout).toContain('first')
    expect((await zdx('sessions', 'show', 'abcd')).stdout).toContain('exact')
    expect((await zdx('sessions', 'show', 'abc')).stdout).toContain("'abc' is empty or not found")
  })

  it('is an error with the candidates if it is ambiguous', async () => {
    for (const args of [
      ['sessions', 'show', 'abcde'],
      ['exec', '-p', 'x', '--session', 'abcde'],
    ]) {
      const ran = await zdx(...args)
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain("'abcde' matches 2 sessions: abcdef01, abcdee02")
    }
  })

  it('is reported by --session, which still starts a session that does not exist', async () => {
    const ran = await at.box.exec('x', '--session', 'abcdef')
    expect(ran.stderr).toContain("Session 'abcdef' is abcdef01\n")
    expect(at.box.session('abcdef01')).toHaveLength(4)
    await at.box.exec('x', '--session', 'abcx')
    expect(at.box.session('abcx')).toHaveLength(3)
  })
})

describe('zdx sessions list', () => {
  beforeEach(() => {
    session('other', elsewhere(), 'other prompt')
    session('mine', at.box.root, 'my prompt')
    session('free', undefined, 'free prompt')
  })

  it('shows this project, and with --all every project with its path', async () => {
    expect(ids((await zdx('sessions', 'list')).stdout)).toEqual(['mine', 'free'])
    const { stdout } = await zdx('sessions', 'list', '--all')
    expect(ids(stdout)).toEqual(['other', 'mine', 'free'])
    expect(stdout).toMatch(new RegExp(`^other  \\S+ \\S+  ${elsewhere()}  `))
    expect(stdout).toMatch(/^free {2}\S+ \S+ {2}- {2}/m)
  })

  it('mentions the sessions of other projects if this one has none', async () => {
    const ran = await zdx('sessions', 'list', '--root', at.box.home)
    expect(ran.stdout).toContain('free')
    at.box.writeSession('free', [meta(elsewhere())])
    const none = await zdx('sessions', 'list', '--root', at.box.home)
    expect(none).toMatchObject({ code: 0, stdout: 'No sessions found.\n' })
    expect(none.stderr).toBe('Other projects have 3 sessions: add --all\n')
  })

  it('and the other commands print one JSON object per line', async () => {
    await at.box.exec('needle', '--session', 'paid')
    const lines = async (...args: string[]) =>
      (await zdx('sessions', ...args, '--format', 'json')).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(await lines('list')).toMatchObject([
      { id: 'paid', root: at.box.root, title: 'needle', model: 'claude-haiku-4-5' },
      { id: 'mine', title: 'my prompt' },
      { id: 'free', title: 'free prompt' },
    ])
    expect(await lines('search', 'NEEDLE')).toMatchObject([
      { id: 'paid', event: 2, speaker: 'user', excerpt: 'needle' },
    ])
    expect(await lines('show', 'paid')).toMatchObject([
      { event: 1, type: 'meta' },
      { event: 2, text: 'needle' },
      { event: 3, role: 'assistant' },
    ])
    const stats = await lines('stats', 'paid')
    expect(stats).toMatchObject([
      { type: 'model', model: 'anthropic:claude-haiku-4-5', answers: 1 },
      { type: 'total', sessions: 1, prompts: 1, answers: 1 },
    ])
    expect(await lines('stats', '--all')).toMatchObject([{}, { sessions: 4, prompts: 4 }])
  })
})

describe('zdx sessions search', () => {
  it('finds sessions of every project', async () => {
    session('other', elsewhere(), 'a needle')
    expect((await zdx('sessions', 'search', 'needle')).stdout).toBe('other  2  user: a needle\n')
  })

  it('finds text with quotes and newlines in tool results', async () => {
    at.box.writeSession('tools', [
      meta(),
      { type: 'tool_use', id: 'c', name: 'read', input: { path: 'a' }, ts: '' },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        output: { ok: true, data: { content: 'say "hello"\nworld' } },
        ok: true,
        ts: '',
      },
    ])
    expect((await zdx('sessions', 'search', '"hello"\nworld')).stdout).toBe(
      'tools  3  read result: say "hello" world\n',
    )
  })
})

it('a session file that is not readable does not stop the search for the newest', async () => {
  session('mine', at.box.root, 'my prompt')
  writeFileSync(path.join(at.box.zdxHome, 'sessions/garbage.jsonl'), '\u0000not json\n')
  expect((await zdx('sessions', 'show', 'mine')).stdout).toContain('my prompt')
})
