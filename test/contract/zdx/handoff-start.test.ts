// A handoff that starts a new session: from the command line and from a chat.
import { describe, expect, it } from 'vitest'
import { withServer } from './with-server.ts'

const at = withServer()

const started = () => {
  const id = at.box.sessionIds().find((each) => each !== 'old')
  return at.box.session(id ?? '')
}

describe('zdx handoff --start', () => {
  it('starts a new session with the draft, whose meta line names the old one', async () => {
    await at.box.exec('fix the parser', '--session', 'old')
    const ran = await at.box.zdx(['handoff', '--goal', 'finish the tests', '--start'])
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(started()[0]).toMatchObject({ type: 'meta', parent: 'old' })
    expect(started()[1]).toMatchObject({ role: 'user' })
    const { messages } = at.server.requests[1]?.body ?? { messages: [] }
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).toContain('finish the tests')
    expect(JSON.stringify(messages)).toContain('fix the parser')
    expect(ran.stderr).toContain('# Goal')
  })
})

describe(':handoff', () => {
  const chat = (input: string, env: Record<string, string> = {}) =>
    at.box.zdx(['--session', 'old'], { input, env })

  it('starts a new session after Enter', async () => {
    const ran = await chat('hello\n:handoff go on\n\nmore\n:q\n')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toContain('# Goal')
    expect(started()[0]).toMatchObject({ parent: 'old' })
    expect(started().filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  it('keeps the session if another line follows', async () => {
    await chat('hello\n:handoff go on\nmore\n:q\n')
    expect(at.box.sessionIds()).toEqual(['old'])
    expect(at.box.session('old').filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  it('sends the draft as the editor has left it', async () => {
    const editor = at.box.put('editor.sh', 'echo "EDITED DRAFT" > "$1"\n')
    await chat('hello\n:handoff go on\ne\n\n:q\n', { VISUAL: '', EDITOR: `sh ${editor}` })
    expect(started()[1]).toMatchObject({ text: 'EDITED DRAFT\n' })
  })
})
