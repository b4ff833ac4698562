// The conversation over a pipe: prompts one after another, everything but the answers on stderr.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, FakeAnthropic } from '../../support/fake-anthropic.ts'
import { fakeAnthropic, say, status } from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let server: FakeAnthropic
let box: Sandbox
let respond: Answer
beforeEach(async () => {
  respond = say('ok')
  server = await fakeAnthropic((request, response) => respond(request, response))
  box = createSandbox(server)
})
afterEach(async () => {
  box.remove()
  await server.close()
})

describe('zdx without a command', () => {
  it('greets on stderr, answers on stdout and leaves with :q', async () => {
    const ran = await box.zdx([], { input: 'hello\n  :q  \nnever\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toMatch(
      /^ZDX Chat \(type :q to quit\)\nModel: claude-haiku-4-5\nSession: [0-9a-f-]{36}\nyou> /,
    )
    expect(ran.stderr).toMatch(/you> Goodbye!\n$/)
    expect(server.requests).toHaveLength(1)
  })

  it('leaves nothing behind when nothing was said', async () => {
    const ran = await box.zdx([], { input: ':q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(box.sessionIds()).toEqual([])
  })

  it('ends with the input, without a word', async () => {
    const ran = await box.zdx([], { input: '' })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).not.toContain('Goodbye')
  })

  it('skips blank lines, trims the others and keeps one conversation', async () => {
    await box.zdx([], { input: '\n  \n one \ntwo' })
    const bodies = server.requests.map(({ body }) => body.messages.map(({ content }) => content))
    expect(bodies).toEqual([['one'], ['one', 'ok', 'two']])
    expect(box.sessionIds()).toHaveLength(1)
  })

  it('survives an error and forgets the prompt that failed', async () => {
    respond = (request, response) =>
      (server.requests.length === 1 ? status(400, 'no') : say('fine'))(request, response)
    const ran = await box.zdx([], { input: 'first\nsecond\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'fine\n' })
    expect(ran.stderr).toContain('Error [http_status]: HTTP 400: no\n')
    expect(ran.stderr).toContain('Error: HTTP 400: no\n')
    expect(server.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'second' }])
  })

  it('says that the key is missing and goes on', async () => {
    const ran = await box.zdx([], { input: 'hi\n:q\n', env: { ANTHROPIC_API_KEY: undefined } })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('ANTHROPIC_API_KEY environment variable is not set')
    expect(box.sessionIds()).toEqual([])
  })

  it('lists the context files it loaded', async () => {
    box.put('AGENTS.md', 'x')
    const ran = await box.zdx([], { input: ':q\n' })
    expect(ran.stderr).toContain(
      `Loaded AGENTS.md from:\n  - ${path.join(box.root, 'AGENTS.md')}\n`,
    )
  })

  it('explains itself with :help', async () => {
    const ran = await box.zdx([], { input: ':help\n:q\n' })
    expect(ran.stderr).toContain('Ctrl+D')
    expect(server.requests).toHaveLength(0)
  })
})

describe('the commands of a chat', () => {
  const play = (...steps: object[]) =>
    box.put('play.jsonl', steps.map((step) => JSON.stringify(step)).join('\n'))
  const chat = (...lines: string[]) =>
    box.zdx(['--provider', 'script', '--model', 'play.jsonl', '--session', 's'], {
      input: `${lines.join('\n')}\n:q\n`,
    })

  it(':model says and changes who is asked, in the same session', async () => {
    const ran = await box.zdx(['--session', 's'], {
      input: 'one\n:model\n:model claude-other\ntwo\n:q\n',
    })
    expect(ran.stderr).toContain('Model: claude-haiku-4-5\nyou> Model: claude-other\n')
    expect(server.requests.map(({ body }) => body.model)).toEqual([
      'claude-haiku-4-5',
      'claude-other',
    ])
    expect(server.requests[1]?.body.messages).toHaveLength(3)
    expect(box.sessionIds()).toEqual(['s'])
  })

  it(':model keeps the old one when the new one cannot be asked', async () => {
    const ran = await box.zdx([], { input: ':model script:\none\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
  })

  it(':new begins another session with the same model', async () => {
    const ran = await box.zdx(['--session', 's', '--model', 'claude-other'], {
      input: 'one\n:new\ntwo\n:q\n',
    })
    expect(ran.stdout).toBe('ok\nok\n')
    expect(server.requests[1]?.body).toMatchObject({
      model: 'claude-other',
      messages: [{ role: 'user', content: 'two' }],
    })
    expect(box.sessionIds()).toHaveLength(2)
  })

  it(':sessions lists, :undo takes back, :handoff drafts, !command runs', async () => {
    play({ tool: 'write', input: { path: 'f.txt', content: 'x' } }, { text: 'ok' })
    const ran = await chat('write', ':sessions', ':undo', ':handoff go on', '!echo from the shell')
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toMatch(/you> s {2}\d{4}-/)
    expect(ran.stderr).toContain(`Restored ${path.join(box.root, 'f.txt')}\n`)
    expect(ran.stderr).toContain('# Goal\n\ngo on\n')
    expect(ran.stderr).toContain('you> from the shell\n')
    expect(existsSync(path.join(box.root, 'f.txt'))).toBe(false)
  })

  it('tell what went wrong and go on', async () => {
    play({ text: 'still here' })
    const ran = await chat(':undo', ':handoff', '!exit 3', 'hello')
    expect(ran).toMatchObject({ code: 0, stdout: 'still here\n' })
    expect(ran.stderr).toContain('Error: there are no changes to undo\n')
    expect(ran.stderr).toContain('(exit 3)\n')
  })

  it('are only those that are known: other words with a colon are for the model', async () => {
    await box.zdx([], { input: ':smile\n:q\n' })
    expect(server.requests[0]?.body.messages).toEqual([{ role: 'user', content: ':smile' }])
  })
})
