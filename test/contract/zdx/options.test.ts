// Options that combine: output formats, providers in model names, tools added to the default ones.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

describe('--format json', () => {
  it.each([['models'], ['config show'], ['auth status'], ['sessions diff'], ['handoff --goal x']])(
    'is a usage error of %s, which has no JSON output',
    async (command) => {
      const ran = await at.box.zdx([...command.split(' '), '--format', 'json'])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain('has no JSON output')
    },
  )

  it('before sessions export selects its JSON format', async () => {
    await at.box.exec('hi', '--session', 's')
    const ran = await at.box.zdx(['--format', 'json', 'sessions', 'export', 's'])
    expect(JSON.parse(ran.stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'meta' })
  })

  it('is listed once in the help of sessions export', async () => {
    const { stdout } = await at.box.zdx(['sessions', 'export', '--help'])
    expect(stdout.match(/--format/g)).toHaveLength(1)
  })
})

describe(':model', () => {
  it('with a provider overrides --provider', async () => {
    const args = ['--provider', 'openai', '--model', 'gpt-5', '--session', 's']
    const input = ':model anthropic:claude-haiku-4-5\nhi\n:q\n'
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1' }
    const ran = await at.box.zdx(args, { input, env })
    expect(ran.stderr).toContain('Model: claude-haiku-4-5\n')
    expect(ran.stdout).toBe('ok\n')
    expect(at.server.requests).toHaveLength(1)
  })
})

describe('tools = ["+name"]', () => {
  it('adds tools to the default ones', async () => {
    at.box.config('tools = ["+search"]\n')
    await at.box.exec('hi')
    const names = at.server.requests[0]?.body.tools?.map(({ name }) => name)
    expect(names).toEqual(['bash', 'edit', 'read', 'search', 'write'])
  })
})

describe('zdx sessions undo', () => {
  it('says that it removed a file which the session had created', async () => {
    at.respond = inTurn(
      answer({ tool: 'write', input: { path: 'new.txt', content: 'x' } }),
      say('done'),
    )
    await at.box.exec('go', '--session', 's')
    const ran = await at.box.zdx(['sessions', 'undo', 's'])
    expect(ran.stdout).toBe(`Removed ${path.join(at.box.root, 'new.txt')}\n`)
  })
})
