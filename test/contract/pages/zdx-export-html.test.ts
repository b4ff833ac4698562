// `zdx view` and `zdx sessions export --format html`: the transcript page of a session.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../zdx/sandbox.ts'
import { expectSelfContained, hostileTexts, readPage, readPageFile } from './page-file.ts'

const box = createSandbox()
afterAll(() => box.remove())

const ts = '2026-11-15T10:00:00.000Z'
const secret = `ghp_${'a1B2'.repeat(9)}`
const receipt = { provider: 'script', model: 'play', usage: { input_tokens: 10, output_tokens: 4 } }

box.writeSession('talk', [
  { type: 'meta', schema_version: 1, ts },
  { type: 'message', role: 'user', text: `Fix it.\nMy token is ${secret}`, ts },
  {
    type: 'tool_use',
    id: 't1',
    name: 'edit',
    input: { path: 'a.ts', old: 'one\ntwo', new: 'one\n2' },
    ts,
    ...receipt,
  },
  {
    type: 'tool_result',
    tool_use_id: 't1',
    output: { ok: true, data: { path: 'a.ts' } },
    ok: true,
    ts,
  },
  { type: 'tool_use', id: 't2', name: 'bash', input: { command: 'make\ntest' }, ts },
  {
    type: 'tool_result',
    tool_use_id: 't2',
    output: { ok: true, data: { stdout: 'no', exit_code: 2 } },
    ok: true,
    ts,
  },
  {
    type: 'message',
    role: 'assistant',
    text: `# Done\n\n**bold** ${hostileTexts[0]}\n\n[x](javascript:alert(1)) [y](https://example.com/)`,
    ts,
    ...receipt,
  },
  { type: 'interrupted', role: 'system', text: 'Interrupted', ts },
  { type: 'message', role: 'user', text: hostileTexts[1], ts },
  { type: 'tool_use', id: 't3', name: 'read', input: { path: hostileTexts[3] }, ts },
])

interface Data {
  title: string
  totals: Record<string, unknown>
  turns: { entries: Record<string, unknown>[]; usage?: Record<string, unknown> }[]
  redactions: string[]
  /** Of the calls, from the page's parts. */
  texts: unknown[]
}

async function exported(): Promise<Data> {
  const { code, stdout } = await box.zdx(['sessions', 'export', 'talk', '--format', 'html'])
  expect(code).toBe(0)
  const page = readPage(stdout)
  expectSelfContained(page)
  return { ...(page.data as unknown as Data), texts: page.parts.flat() }
}

describe('the HTML transcript', () => {
  it('has one turn per prompt and is titled after the first', async () => {
    const { title, turns, totals } = await exported()
    expect(title).toBe('Fix it.')
    expect(turns.map(({ entries }) => entries.map(({ type }) => type))).toEqual([
      ['prompt', 'tool', 'tool', 'answer', 'interrupted'],
      ['prompt', 'tool'],
    ])
    expect(totals).toMatchObject({ prompts: 2, answers: 2, toolCalls: 3, input: 20, output: 8 })
  })

  it('shows edits as diffs and the exit code of commands', async () => {
    const { turns, texts } = await exported()
    const [, edit, bash] = turns[0]?.entries ?? []
    const diff = { path: 'a.ts', added: 1, removed: 1 }
    expect(edit).toMatchObject({ number: 0, ok: true, diff })
    expect(bash).toMatchObject({ number: 1, title: 'make ⏎ test', exit: 2 })
    expect(texts).toMatchObject([
      {
        lines: [
          { mark: ' ', text: 'one' },
          { mark: '-', text: 'two' },
          { mark: '+', text: '2' },
        ],
      },
      { result: { text: 'no' } },
      {},
    ])
  })

  it('has no outcome for a call without a result', async () => {
    const last = (await exported()).turns[1]?.entries.at(-1)
    expect(last).toMatchObject({ name: 'read', title: hostileTexts[3] })
    expect(last).not.toHaveProperty('ok')
  })

  it('has the usage of each turn', async () => {
    const { turns } = await exported()
    expect(turns[0]?.usage).toMatchObject({ input: 20, output: 8, models: ['script:play'] })
    expect(turns[1]?.usage).toBeUndefined()
  })

  it('redacts secrets and names their kinds', async () => {
    const page = JSON.stringify(await exported())
    expect(page).not.toContain(secret)
    expect(page).toContain('[REDACTED:GITHUB_TOKEN]')
    expect((await exported()).redactions).toEqual(['github_token'])
  })

  it('parses Markdown, keeps HTML as text and only safe links', async () => {
    const answer = (await exported()).turns[0]?.entries[3]
    const text = JSON.stringify(answer)
    expect(text).toContain('{"type":"heading","depth":1')
    expect(text).toContain('{"type":"strong"')
    expect(text).toContain(JSON.stringify('<script>').slice(1, -1))
    expect(text.match(/"type":"link"/g)).toHaveLength(1)
    expect(text).toContain('"href":"https://example.com/"')
  })

  it('is written to --out', async () => {
    const file = path.join(box.root, 'talk.html')
    const args = ['sessions', 'export', 'talk', '--format', 'html', '--out', file]
    expect(await box.zdx(args)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(readPageFile(file).data.kind).toBe('session')
  })

  it('is an error for a missing session', async () => {
    const { code, stdout, stderr } = await box.zdx([
      'sessions',
      'export',
      'none',
      '--format',
      'html',
    ])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain("Session 'none' is empty or not found.")
  })
})

describe('zdx view', () => {
  it('writes the page of a session into the folder pages, and sessions delete removes it', async () => {
    const page = path.join(box.zdxHome, 'pages/talk.html')
    expect(await box.zdx(['view', 'talk'])).toMatchObject({ code: 0, stdout: `${page}\n` })
    expect(readPageFile(page).data).toMatchObject({ kind: 'session', sessionId: 'talk' })
    box.writeSession('gone', [{ type: 'message', role: 'user', text: 'hi', ts }])
    await box.zdx(['view', 'gone'])
    await box.zdx(['sessions', 'delete', 'gone'])
    expect(readdirSync(path.dirname(page))).toEqual(['talk.html'])
  })

  it('writes to --out, and refuses a session that does not exist', async () => {
    const { stdout } = await box.zdx(['view', 'talk', '--out', '-'])
    expect(readPage(stdout).data.kind).toBe('session')
    const missing = await box.zdx(['view', 'none'])
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toContain("there is no session 'none'")
  })
})
