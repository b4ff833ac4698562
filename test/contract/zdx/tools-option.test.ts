// The `tools` setting, and the optional tool `search`.
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { offeredTools } from './script-calls.ts'
import { inTurn, withServer } from './with-server.ts'
import { asProcess } from '../run-here.ts'

const at = withServer()

const offered = () => offeredTools(at)

describe('the tools of a conversation', () => {
  it('are the four defaults unless flag or configuration list others', async () => {
    await at.box.exec('hi')
    expect(offered()).toEqual(['bash', 'edit', 'read', 'write'])
    await at.box.exec('hi', '--tools', 'search, read')
    expect(offered()).toEqual(['read', 'search'])
    at.box.config('tools = ["bash", "search"]\n')
    await at.box.exec('hi')
    expect(offered()).toEqual(['bash', 'search'])
    await at.box.exec('hi', '--tools', '')
    expect(at.server.requests.at(-1)?.body).not.toHaveProperty('tools')
  })

  it('must exist, and a tool that is not offered does not run', async () => {
    const ran = await at.box.exec('hi', '--tools', 'telepathy')
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain("unknown tool 'telepathy'")
    at.respond = inTurn(answer({ tool: 'bash', input: { command: 'echo x' }, id: 't1' }), say('ok'))
    await at.box.exec('hi', '--tools', 'read')
    expect(JSON.stringify(at.server.requests.at(-1)?.body.messages)).toContain('Unknown tool: bash')
  })
})

describe('the tool search', () => {
  beforeEach(() => {
    at.box.put('src/a.ts', 'export function alpha() {}\nconst needle = 1\n')
    at.box.put('src/b.md', 'a needle here\n')
  })

  async function found(
    input: Record<string, unknown>,
    env: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    at.respond = inTurn(answer({ tool: 'search', input, id: 't1' }), say('ok'))
    await at.box.zdx(['exec', '-p', 'hi', '--tools', 'search'], { env })
    const results = at.server.requests.at(-1)?.body.messages.at(-1)?.content as {
      content: string
    }[]
    return JSON.parse(results[0]?.content ?? '{}') as Record<string, unknown>
  }

  it('finds lines, files and symbols', async () => {
    expect(await found({ op: 'grep', pattern: 'nee.le' })).toMatchObject({
      ok: true,
      data: {
        hits: [
          { path: 'src/a.ts', line: 2 },
          { path: 'src/b.md', line: 1 },
        ],
      },
    })
    expect(await found({ op: 'grep', pattern: 'needle', glob: '**/*.md' })).toMatchObject({
      data: { hits: [{ path: 'src/b.md' }] },
    })
    expect(await found({ op: 'list', glob: '**/*.ts' })).toMatchObject({
      data: { files: ['src/a.ts'] },
    })
    expect(JSON.stringify(await found({ op: 'symbols', path: 'src/a.ts' }))).toContain('alpha')
  })

  it.each(['(a+)+$', '(a|a)*(?=b)', '(a+)+\\1b'])(
    'stops a pattern with catastrophic backtracking: %s',
    async (pattern) => {
      at.box.put('evil.txt', `${'a'.repeat(200)}!\n`)
      at.box.config('tool_timeout_secs = 1\n')
      const result = await found({ op: 'grep', pattern, path: 'evil.txt' })
      if (result.ok === true) expect(result).toMatchObject({ data: { hits: [] } })
      else {
        const { code } = result.error as { code: string }
        expect(['timeout', 'search_error']).toContain(code)
      }
    },
  )

  it('accepts lookaround and back-references', async () => {
    expect(await found({ op: 'grep', pattern: '(e)\\1(?=dle)' }, asProcess)).toMatchObject({
      ok: true,
      data: { hits: [{ path: 'src/a.ts' }, { path: 'src/b.md' }] },
    })
  })

  it('reports what is wrong with a request', async () => {
    expect(await found({ op: 'grep' })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(await found({ op: 'dream' })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(await found({ op: 'grep', pattern: '(' })).toMatchObject({
      error: { code: 'search_error' },
    })
    expect(await found({ op: 'symbols', path: 'none' })).toMatchObject({ ok: false })
  })
})
