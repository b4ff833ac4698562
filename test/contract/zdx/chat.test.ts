// A chat over a pipe: prompts run one after another, and only answers go to stdout.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, status } from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

describe('zdx without a command', () => {
  it('greets on stderr, answers on stdout and quits with :q', async () => {
    const ran = await at.box.zdx([], { input: 'hello\n  :q  \nnever\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toMatch(
      /^ZDX Chat \(type :q to quit\)\nModel: claude-haiku-4-5\nSession: [0-9a-f-]{36}\nyou> /,
    )
    expect(ran.stderr).toMatch(/you> Goodbye!\n$/)
    expect(at.server.requests).toHaveLength(1)
  })

  it('starts with a first prompt that has a space or follows --', async () => {
    const ran = await at.box.zdx(['fix the test', '--no-save'], { input: 'more\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\nok\n' })
    expect(ran.stderr).toContain('you> fix the test\n')
    await at.box.zdx(['--no-save', '--', 'fix'], { input: '' })
    const sent = at.server.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(sent).toEqual(['fix the test', 'more', 'fix'])
  })

  it('refuses a single word that is no command and names the nearest', async () => {
    const ran = await at.box.zdx(['sesions'], { input: '' })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain("unknown command 'sesions'; did you mean 'sessions'?")
    expect(await at.box.zdx(['fix'], { input: '' })).toMatchObject({ code: 2, stdout: '' })
    expect(at.server.requests).toHaveLength(0)
  })

  it('creates no session file without a prompt', async () => {
    const ran = await at.box.zdx([], { input: ':q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(at.box.sessionIds()).toEqual([])
  })

  it('exits silently at the end of input', async () => {
    const ran = await at.box.zdx([], { input: '' })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).not.toContain('Goodbye')
  })

  it('skips blank lines, trims the others and stays in one conversation', async () => {
    await at.box.zdx([], { input: '\n  \n one \ntwo' })
    const bodies = at.server.requests.map(({ body }) => body.messages.map(({ content }) => content))
    expect(bodies).toEqual([['one'], ['one', 'ok', 'two']])
    expect(at.box.sessionIds()).toHaveLength(1)
  })

  it('splits lines only at a newline', async () => {
    await at.box.zdx([], { input: 'a\u2028b\u0085c\rd\r\nlast' })
    const prompts = at.server.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(prompts).toEqual(['a\u2028b\u0085c\rd', 'last'])
  })

  it('goes on after an error and drops the failed prompt from the history', async () => {
    at.respond = inTurn(status(400, 'no'), say('fine'))
    const ran = await at.box.zdx([], { input: 'first\nsecond\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'fine\n' })
    expect(ran.stderr).toContain('Error [http_status]: HTTP 400: no\n')
    expect(ran.stderr.split('HTTP 400: no')).toHaveLength(2)
    expect(at.server.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'second' }])
  })

  it('names three ways to begin without a key, before the first prompt, and goes on', async () => {
    const ran = await at.box.zdx([], { input: 'hi\n:q\n', env: { ANTHROPIC_API_KEY: undefined } })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toMatch(
      /No model can be used yet.*\n {2}key .*\n {2}local server .*\n {2}screenplay .*\nyou> /,
    )
    expect(ran.stderr.split('ANTHROPIC_API_KEY environment variable is not set')).toHaveLength(2)
    expect(at.box.sessionIds()).toEqual([])
  })

  it('lists the loaded AGENTS.md files', async () => {
    at.box.put('AGENTS.md', 'x')
    const ran = await at.box.zdx([], { input: ':q\n' })
    expect(ran.stderr).toContain(
      `Loaded AGENTS.md from:\n  - ${path.join(at.box.root, 'AGENTS.md')}\n`,
    )
  })

  it('lists its commands with :help', async () => {
    const ran = await at.box.zdx([], { input: ':help\n:q\n' })
    expect(ran.stderr).toContain('Ctrl+D')
    expect(at.server.requests).toHaveLength(0)
  })
})

describe('chat commands', () => {
  const play = (...steps: object[]) =>
    at.box.put('play.jsonl', steps.map((step) => JSON.stringify(step)).join('\n'))
  const chat = (...lines: string[]) =>
    at.box.zdx(['--provider', 'script', '--model', 'play.jsonl', '--session', 's'], {
      input: `${lines.join('\n')}\n:q\n`,
    })

  it(':model shows and changes the model within the session', async () => {
    const ran = await at.box.zdx(['--session', 's'], {
      input: 'one\n:model\n:model claude-other\ntwo\n:q\n',
    })
    expect(ran.stderr).toContain('Model: claude-haiku-4-5\nyou> Model: claude-other\n')
    expect(at.server.requests.map(({ body }) => body.model)).toEqual([
      'claude-haiku-4-5',
      'claude-other',
    ])
    expect(at.server.requests[1]?.body.messages).toHaveLength(3)
    expect(at.box.sessionIds()).toEqual(['s'])
  })

  it(':model keeps the current model if the new one is not available', async () => {
    const ran = await at.box.zdx([], { input: ':model script:\none\n:q\n' })
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
  })

  it(':new starts another session with the same model', async () => {
    const ran = await at.box.zdx(['--session', 's', '--model', 'claude-other'], {
      input: 'one\n:new\ntwo\n:q\n',
    })
    expect(ran.stdout).toBe('ok\nok\n')
    expect(at.server.requests[1]?.body).toMatchObject({
      model: 'claude-other',
      messages: [{ role: 'user', content: 'two' }],
    })
    expect(at.box.sessionIds()).toHaveLength(2)
  })

  it(':sessions lists, :undo removes a new file, :handoff drafts, !command runs', async () => {
    play({ tool: 'write', input: { path: 'f.txt', content: 'x' } }, { text: 'ok' })
    const ran = await chat('write', ':sessions', ':undo', ':handoff go on', '!echo from the shell')
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toMatch(/you> s {2}\d{4}-/)
    expect(ran.stderr).toContain(`Removed ${path.join(at.box.root, 'f.txt')}\n`)
    expect(ran.stderr).toContain('# Goal\n\ngo on\n')
    expect(ran.stderr).toContain('you> from the shell\n')
    expect(existsSync(path.join(at.box.root, 'f.txt'))).toBe(false)
  })

  it('print their errors, and the chat goes on', async () => {
    play({ text: 'still here' })
    const ran = await chat(':undo', ':handoff', '!exit 3', 'hello')
    expect(ran).toMatchObject({ code: 0, stdout: 'still here\n' })
    expect(ran.stderr).toContain('Error: there are no changes to undo\n')
    expect(ran.stderr).toContain('(exit 3)\n')
  })

  it('with an unknown name are never sent: the nearest command is named', async () => {
    const lines = [':hepl me', ':q is how one leaves vi', ':q!', ':wq', ':model.', ':q']
    const ran = await at.box.zdx([], { input: `${lines.join('\n')}\n` })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('you> there is no command :hepl; did you mean :help?')
    expect(ran.stderr).toContain('you> there is no command :model.; did you mean :model?')
    expect(at.server.requests).toHaveLength(0)
  })

  it('also begin with a slash; other lines with a slash and lines with :: are prompts', async () => {
    const lines = [
      '/sessions',
      '/etc/hosts is short',
      '/nothing here',
      '::smile',
      ':) hi',
      '/q',
      'x',
    ]
    const ran = await at.box.zdx(['--no-save'], { input: lines.join('\n') })
    expect(ran.stderr).toContain('you> No sessions found.\n')
    const sent = at.server.requests.map(({ body }) => body.messages.at(-1)?.content)
    expect(sent).toEqual(['/etc/hosts is short', '/nothing here', ':smile', ':) hi'])
  })

  it(':resume continues another session; !!command sends its output with the next prompt', async () => {
    await at.box.exec('earlier', '--session', 'other')
    const input = ':resume nothing\n:resume other\n!!echo shown; exit 3\nlook\n:q\n'
    const ran = await at.box.zdx(['--session', 's'], { input })
    expect(ran.stderr).toContain("Error: there is no session 'nothing'")
    expect(ran.stderr).toContain('Session: other\nLoaded 2 previous messages\n')
    expect(ran.stderr).toContain('you> shown\n(exit 3)\n')
    expect(at.server.requests[1]?.body.messages.map(({ content }) => content)).toEqual([
      'earlier',
      'ok',
      'look\n\nOutput of `echo shown; exit 3` (exit 3):\n```\nshown\n```',
    ])
  })
})
