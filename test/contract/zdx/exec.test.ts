// `zdx exec`: the request, the answer on stdout, tools, the session file.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/fake-anthropic.ts'
import { answer, say } from '../../support/fake-anthropic.ts'
import { withServer } from './with-server.ts'

const at = withServer()
let answers: Answer[]
beforeEach(() => {
  answers = []
  at.respond = (request, response) => (answers.shift() ?? say('ok'))(request, response)
})

const sent = (index = 0) => at.server.requests[index]?.body
const blocks = (index: number, message: number) =>
  sent(index)?.messages[message]?.content as Record<string, unknown>[]

describe('zdx exec', () => {
  it('prints exactly the answer and a newline on stdout', async () => {
    answers.push(say('', 'Hello', ''))
    expect(await at.box.exec('hi')).toMatchObject({ code: 0, stdout: 'Hello\n' })
  })

  it('sends the prompt with the four tools, the default system prompt and the maximum output', async () => {
    await at.box.exec('  spaces stay  ')
    expect(sent()).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: 64_000,
      stream: true,
      messages: [{ role: 'user', content: '  spaces stay  ' }],
    })
    expect(sent()?.tools?.map(({ name }) => name)).toEqual(['bash', 'edit', 'read', 'write'])
    expect(sent()?.system).toContain(`Folder: ${at.box.root}`)
    expect(at.server.requests[0]?.headers).toMatchObject({ 'anthropic-version': '2023-06-01' })
  })

  it('writes meta, user and assistant lines with whole-second times', async () => {
    await at.box.exec('hi')
    const [id = ''] = at.box.sessionIds()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const lines = at.box.session(id)
    expect(lines.map(({ type, role }) => role ?? type)).toEqual(['meta', 'user', 'assistant'])
    for (const { ts } of lines) expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(lines[2]).toMatchObject({ provider: 'anthropic', model: 'claude-haiku-4-5' })
    expect(lines[2]).toHaveProperty('usage')
  })

  it('runs tools and sends each result with the id of its call', async () => {
    at.box.put('a.txt', 'contents')
    answers.push(
      answer(
        { text: ['I look.'] },
        { tool: 'read', id: 'toolu_r', input: { path: 'a.txt' } },
        { tool: 'bash', id: 'toolu_b', input: { command: 'exit 3' } },
      ),
      say('Done'),
    )
    const ran = await at.box.exec('look')
    expect(ran.stdout).toBe('I look.\nDone\n')
    expect(blocks(1, 1)).toMatchObject([{ type: 'text', text: 'I look.' }, { id: 'toolu_r' }, {}])
    const [first, second] = blocks(1, 2)
    expect(first).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_r' })
    expect(JSON.parse(String(first?.content))).toMatchObject({ ok: true, data: { bytes: 8 } })
    expect(String(first?.content)).toMatch(/^\{"ok":true,"data":\{"path":/)
    expect(second).not.toHaveProperty('is_error')
    expect(ran.stderr).toMatch(/⚙ Running read\.\.\. Done\. \(\d+\.\d{2}s\) {2}\S+\n/)
    expect(ran.stderr).toContain('Tool requested: bash command="exit 3"\n')
    expect(ran.stderr).toContain('Tool finished: bash exit=3\n')
    expect(ran.stderr.indexOf('Tool requested')).toBeLessThan(ran.stderr.indexOf('Running read'))
  })

  it('marks a failed tool result as an error and goes on', async () => {
    answers.push(answer({ tool: 'read', input: { path: 'nope' } }), say('I see'))
    expect(await at.box.exec('x')).toMatchObject({ code: 0, stdout: 'I see\n' })
    expect(blocks(1, 2)[0]).toMatchObject({ is_error: true })
  })

  it('continues a session: sends the complete history and leaves five lines', async () => {
    await at.box.exec('one', '--session', 'mine')
    await at.box.exec('two', '--session', 'mine')
    expect(sent(1)?.messages.map(({ content }) => content)).toEqual(['one', 'ok', 'two'])
    expect(at.box.session('mine')).toHaveLength(5)
    await at.box.zdx(['exec', '-c', '-p', 'three'])
    expect(sent(2)?.messages).toHaveLength(5)
    expect(at.box.sessionIds()).toEqual(['mine'])
  })

  it('writes nothing with --no-save, not even the sessions folder', async () => {
    await at.box.exec('hi', '--no-save', '--session', 'x')
    expect(existsSync(path.join(at.box.zdxHome, 'sessions'))).toBe(false)
  })

  it.each(['../x', 'a/b', '..', ''])('rejects the session id %j', async (id) => {
    const { code, stdout } = await at.box.exec('hi', `--session=${id}`)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(at.server.requests).toHaveLength(0)
  })

  it('reads standard input only for -p -', async () => {
    await at.box.zdx(['exec', '-p', '-'], { input: 'from the pipe\n' })
    expect(sent()?.messages[0]?.content).toBe('from the pipe\n')
    const open = at.box.start(['exec', '-p', 'no input'])
    expect(await new Promise((resolve) => open.on('exit', resolve))).toBe(0)
  })

  it.each([
    ['exec', '-p', ''],
    ['exec', '-p', '  \n'],
    ['exec', '-p', '-'],
  ])('rejects an empty prompt', async (...args) => {
    expect(await at.box.zdx(args, { input: '' })).toMatchObject({ code: 2, stdout: '' })
    expect(at.box.sessionIds()).toEqual([])
  })

  it('does not send a file outside the project that AGENTS.md links to', async () => {
    const secret = path.join(at.box.base, 'secret')
    writeFileSync(secret, 'SECRET')
    symlinkSync(secret, path.join(at.box.root, 'AGENTS.md'))
    const ran = await at.box.exec('hi')
    expect(JSON.stringify(at.server.requests)).not.toContain('SECRET')
    expect(ran.stderr).toContain(`AGENTS.md: it is a link that leads out of ${at.box.root}\n`)
  })

  it('appends AGENTS.md to the system prompt and prints its path', async () => {
    at.box.put('AGENTS.md', 'Use tabs.')
    const ran = await at.box.exec('hi', '--system-prompt', ' Be brief. ')
    const file = path.join(at.box.root, 'AGENTS.md')
    expect(sent()?.system).toBe(`Be brief.\n\n# Project Context\n\n## ${file}\n\nUse tabs.`)
    expect(ran.stderr).toContain(`Loaded AGENTS.md from: ${file}\n`)
  })

  it('hides provider keys from commands', async () => {
    answers.push(answer({ tool: 'bash', input: { command: 'env; cat' } }), say('ok'))
    await at.box.exec('x')
    expect(JSON.stringify(sent(1))).not.toContain('test-key-0123456789')
  })

  it('drops a tool call that max_tokens cut, and says to raise it', async () => {
    answers.push((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(readFileSync(path.join(import.meta.dirname, 'fixtures/cut-tool-call.sse')))
    })
    const ran = await at.box.exec('x', '--session', 's')
    expect(ran).toMatchObject({ code: 0, stdout: 'I will\n' })
    expect(ran.stderr).toContain('max_tokens')
    expect(at.box.session('s').map(({ type }) => type)).toEqual(['meta', 'message', 'message'])
  })

  it('accepts an answer that is not streamed', async () => {
    at.box.config('stream = false\n')
    answers.push((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const content = [{ type: 'text', text: 'whole' }]
      const usage = { input_tokens: 1, output_tokens: 1 }
      response.end(JSON.stringify({ type: 'message', content, stop_reason: 'end_turn', usage }))
    })
    expect(await at.box.exec('x')).toMatchObject({ code: 0, stdout: 'whole\n' })
    expect(sent()?.stream ?? false).toBe(false)
  })

  it('plays a screenplay instead of calling a model and says so', async () => {
    const file = at.box.put('play.jsonl', '{"text":"scripted"}\n{"end":true}\n')
    const ran = await at.box.exec('x', '--provider', 'script', '--model', file)
    expect(ran).toMatchObject({ code: 0, stdout: 'scripted\n' })
    expect(ran.stderr).toContain('scripted')
    expect(at.server.requests).toHaveLength(0)
  })
})
