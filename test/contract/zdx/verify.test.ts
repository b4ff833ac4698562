// `zdx verify`, `zdx sessions verify` and `zdx exec --verify`.
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

const ts = '2026-01-01T00:00:00Z'
const meta = { type: 'meta', schema_version: 1, ts }
const message = (role: string, text: string) => ({ type: 'message', role, text, ts })
const bash = (id: string, command: string, stdout: string, exit_code: number) => [
  { type: 'tool_use', id, name: 'bash', input: { command }, ts },
  {
    type: 'tool_result',
    tool_use_id: id,
    output: { ok: true, data: { stdout, stderr: '', exit_code, timed_out: false } },
    ok: true,
    ts,
  },
]
const edit = (id: string, path: string) => [
  { type: 'tool_use', id, name: 'edit', input: { path, old: 'a', new: 'b' }, ts },
  { type: 'tool_result', tool_use_id: id, output: { ok: true, data: { path } }, ok: true, ts },
]
const passed = bash('t', 'npm test', '# tests 12\n# pass 12\n# fail 0\n', 0)

describe('zdx verify', () => {
  it('prints each claim with its verdict and exits with 3 if one is contradicted or stale', async () => {
    at.box.writeSession('abcd-1', [
      meta,
      message('user', 'go'),
      ...passed,
      ...edit('e', 'src/a.ts'),
      ...bash('c', 'node codemod.mjs', '', 0),
      message('assistant', 'All 12 tests pass. I updated `src/a.ts` and `src/b.ts`. I ran `make`.'),
    ])
    const ran = await at.box.zdx(['verify', 'abcd'])
    expect(ran).toMatchObject({ code: 3, stderr: '' })
    expect(ran.stdout.split('\n')).toEqual([
      '⚠ stale: src/a.ts changed after event 3  All 12 tests pass.',
      '✓ event 5  I updated `src/a.ts` and `src/b.ts`.',
      '? not checkable  I updated `src/a.ts` and `src/b.ts`.',
      '✗ no receipt  I ran `make`.',
      '',
    ])
    expect(await at.box.zdx(['sessions', 'verify', 'abcd-1'])).toEqual(ran)
  })

  it('exits with 0 if nothing is contradicted, and says when there is no claim', async () => {
    at.box.writeSession('s', [
      meta,
      message('user', 'go'),
      ...passed,
      message('assistant', 'All tests pass.'),
    ])
    expect(await at.box.zdx(['verify'])).toMatchObject({
      code: 0,
      stdout: '✓ event 3  All tests pass.\n',
    })
    at.box.writeSession('s', [meta, message('user', 'go'), message('assistant', 'Hello.')])
    expect(await at.box.zdx(['verify'])).toMatchObject({ code: 0, stdout: 'No claims found.\n' })
    expect(await at.box.zdx(['verify', 'none'])).toMatchObject({ code: 1, stdout: '' })
  })

  it('prints JSON lines, and every turn with --all-turns', async () => {
    at.box.writeSession('s', [
      meta,
      message('user', 'one'),
      message('assistant', 'All tests pass.'),
      message('user', 'two'),
      ...passed,
      message('assistant', 'All tests pass.'),
    ])
    const last = await at.box.zdx(['verify', 's', '--format', 'json'])
    expect(last.code).toBe(0)
    expect(JSON.parse(last.stdout)).toEqual({
      text: 'All tests pass.',
      verdict: 'ok',
      event: 5,
      reason: 'event 5',
    })
    const all = await at.box.zdx(['verify', 's', '--all-turns', '--format', 'json'])
    expect(all.code).toBe(3)
    expect(
      all.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { verdict: 'contradicted', event: null, reason: 'no receipt' },
      { verdict: 'ok' },
    ])
  })
})

describe('zdx exec --verify', () => {
  it('checks the answer, prints verdicts on stderr and uses the exit code', async () => {
    at.respond = say('I created `a.ts`.')
    const ran = await at.box.exec('go', '--verify')
    expect(ran).toMatchObject({ code: 3, stdout: 'I created `a.ts`.\n' })
    expect(ran.stderr).toContain('✗ no receipt  I created `a.ts`.\n')
    at.respond = inTurn(
      answer({ tool: 'write', input: { path: 'a.ts', content: '' } }),
      say('I created `a.ts`.'),
    )
    expect(await at.box.exec('go', '--verify')).toMatchObject({ code: 0 })
    const json = await at.box.exec('go', '--verify', '--format', 'json')
    const lines = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines.slice(-2)).toMatchObject([
      { type: 'claim', verdict: 'contradicted' },
      { type: 'end', exit_code: 3 },
    ])
    expect(await at.box.exec('go', '--verify', '--no-save')).toMatchObject({ code: 2 })
  })
})
