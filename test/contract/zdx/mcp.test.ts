// MCP tools: offered only if allowed, bounded like all tools, and ended with zdx. The test servers use the
// official SDK.
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { childProgram } from '../../support/paths.ts'
import { isRunning } from './processes.ts'
import { until } from './sandbox.ts'
import type { ToolBlock } from './script-calls.ts'
import { offeredTools, scriptCalls } from './script-calls.ts'
import { withServer } from './with-server.ts'

const at = withServer()
let starts: string
beforeEach(() => {
  starts = path.join(at.box.base, 'starts')
})
afterEach(() => {
  for (const pid of startedServers()) expect(isRunning(pid)).toBe(false)
})

function startedServers(): number[] {
  return existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').map(Number) : []
}

function configure(tools: string[], ...args: string[]): void {
  at.box.config(`tools = ${JSON.stringify(tools)}
[mcp.own]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([childProgram('agent', 'mcp-server'), ...args])}
env_vars = ["SERVER_TOKEN", "NODE_OPTIONS"]
env = { MCP_STARTS = ${JSON.stringify(starts)}, FIXED = "value" }
`)
}

const offered = () => offeredTools(at)
const calling = (...calls: ToolBlock[]) => scriptCalls(at, calls)

describe('the tools of an MCP server', () => {
  it('are not listed unless `tools` names the server', async () => {
    configure(['read'])
    await at.box.exec('hi')
    expect(offered()).toEqual(['read'])
    expect(startedServers()).toEqual([])
  })

  it('are not listed before the first prompt', async () => {
    configure(['read', 'mcp:own'])
    await at.box.zdx([], { input: ':q\n' })
    expect(startedServers()).toEqual([])
  })

  it('are offered after the built-in tools, in a stable order, with names that every vendor accepts', async () => {
    configure(['mcp:own', 'read'])
    await at.box.exec('hi')
    expect(offered()).toEqual([
      'read',
      ...['die', 'do_it', 'echo', 'environment', 'fail', 'figures', 'folder', 'hang', 'large'].map(
        (name) => `own__${name}`,
      ),
      'own__mixed',
    ])
  })

  it('can be allowed one by one, and only those are offered', async () => {
    configure(['mcp:own/echo', 'mcp:own/do.it', 'mcp:own/none'])
    const ran = await at.box.exec('hi')
    expect(ran.stderr).toContain("Warning: MCP server own has no tool 'none'\n")
    expect(at.server.requests[0]?.body.tools).toEqual([
      {
        name: 'own__do_it',
        description: 'the tool do.it',
        input_schema: { type: 'object', properties: {} },
      },
      {
        name: 'own__echo',
        description: 'the tool echo',
        input_schema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ])
  })

  it('return the usual envelope, also for failures', async () => {
    configure(['mcp:own'])
    const results = calling(
      { tool: 'own__echo', input: { text: 'ü\n' } },
      { tool: 'own__do_it', input: {} },
      { tool: 'own__mixed', input: {} },
      { tool: 'own__figures', input: {} },
      { tool: 'own__fail', input: {} },
      { tool: 'own__folder', input: {} },
    )
    expect(await at.box.exec('go', '--session', 's')).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(results()).toEqual([
      { ok: true, data: { text: 'ü\n' } },
      { ok: true, data: { text: 'done' } },
      {
        ok: true,
        data: { text: 'see\n[image image/png, 8 bytes]\nthe note\n[a link: test://link]' },
      },
      { ok: true, data: { result: { sum: 3 } } },
      { ok: false, error: { code: 'mcp_tool_error', message: 'it failed' } },
      { ok: true, data: { text: at.box.root } },
    ])
    expect(at.box.session('s').filter(({ type }) => type === 'tool_result')).toHaveLength(6)
    expect(startedServers()).toHaveLength(1)
  })

  it('store large results completely and send head and tail', async () => {
    configure(['mcp:own'])
    calling({ tool: 'own__large', input: { bytes: 300_000 } })
    await at.box.exec('go', '--session', 's')
    const sent = at.server.requests[1]?.body.messages.at(-1)?.content as { content: string }[]
    expect(sent[0]?.content.length).toBeLessThan(66_000)
    const kept = at.box.session('s').find(({ type }) => type === 'tool_result')
    expect(JSON.stringify(kept).length).toBeGreaterThan(300_000)
  })

  it('return a tool error for a message above the size limit', async () => {
    configure(['mcp:own'])
    const results = calling({ tool: 'own__large', input: { bytes: 65 * 1024 * 1024 } })
    expect(await at.box.exec('go')).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(results()).toMatchObject([
      { ok: false, error: { code: 'mcp_error', message: expect.stringContaining('bytes') } },
    ])
  })

  it('obey tool_timeout_secs', async () => {
    configure(['mcp:own'])
    const config = readFileSync(path.join(at.box.zdxHome, 'config.toml'), 'utf8')
    at.box.config(`tool_timeout_secs = 1\n${config}`)
    const results = calling(
      { tool: 'own__hang', input: {} },
      { tool: 'own__echo', input: { text: 'still here' } },
    )
    await at.box.exec('go')
    expect(results()).toEqual([
      {
        ok: false,
        error: { code: 'timeout', message: 'Tool execution timed out after 1 seconds' },
      },
      { ok: true, data: { text: 'still here' } },
    ])
  })
})

describe('an MCP server', () => {
  it('causes a tool error when it is killed and restarts for the next call', async () => {
    configure(['mcp:own'])
    const results = calling(
      { tool: 'own__die', input: {} },
      { tool: 'own__echo', input: { text: 'reborn' } },
    )
    expect(await at.box.exec('go', '--session', 's')).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(results()).toEqual([
      {
        ok: false,
        error: { code: 'mcp_error', message: 'MCP server own: was killed by SIGKILL' },
      },
      { ok: true, data: { text: 'reborn' } },
    ])
    expect(startedServers()).toHaveLength(2)
    at.respond = say('back')
    expect(await at.box.exec('again', '--session', 's')).toMatchObject({
      code: 0,
      stdout: 'back\n',
    })
  })

  it('causes a warning if it does not start, and the turn goes on', async () => {
    configure(['read', 'mcp:own'], 'broken')
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(ran.stderr).toContain(
      'Warning: MCP server own: exited with code 3 (cannot find the moon); its tools are not offered\n',
    )
    expect(offered()).toEqual(['read'])
    at.box.config('tools = ["read", "mcp:own"]\n[mcp.own]\ncommand = "no-such-program"\n')
    const second = await at.box.exec('hi')
    expect(second).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(second.stderr).toMatch(/Warning: MCP server own: .*no-such-program.*not offered\n/)
  })

  it('with too many tools is offered in part, with a warning', async () => {
    configure(['mcp:own'], 'crowd')
    const ran = await at.box.exec('hi')
    expect(offered()).toHaveLength(128)
    expect(ran.stderr).toContain('MCP server own has 310 tools, of which 128 are offered')
  })

  it('may print lines that are not messages, and may support only the newer protocol', async () => {
    for (const argument of ['chatty', 'modern']) {
      configure(['mcp:own/echo'], argument)
      const results = calling({ tool: 'own__echo', input: { text: argument } })
      await at.box.exec('go')
      expect(results()).toEqual([{ ok: true, data: { text: argument } }])
    }
  })

  it('gets the safe environment and the variables of its section, but no provider key', async () => {
    configure(['mcp:own'])
    const results = calling({ tool: 'own__environment', input: {} })
    await at.box.zdx(['exec', '-p', 'go'], {
      env: { OPENAI_API_KEY: 'sk-other', SERVER_TOKEN: 'for the server', ELSE: 'not for it' },
    })
    const { data } = results()[0] as { data: { text: string } }
    const env = JSON.parse(data.text) as Record<string, string>
    // The value reached the server; the model sees a placeholder.
    const hidden = '⟦secret:env-secret:1⟧'
    expect(env).toMatchObject({ HOME: at.box.home, SERVER_TOKEN: hidden, FIXED: 'value' })
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['ELSE']))
    expect(Object.keys(env).filter((name) => name.endsWith('_API_KEY'))).toEqual([])
    expect(Object.values(env)).not.toContain(at.server.env.ANTHROPIC_API_KEY)
  })

  it('cannot be configured to receive a provider key', async () => {
    at.box.config(
      'tools = ["mcp:own"]\n[mcp.own]\ncommand = "x"\nenv_vars = ["ANTHROPIC_API_KEY"]\n',
    )
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toBe('[mcp.own] must not get ANTHROPIC_API_KEY: it is a provider key\n')
    expect(at.server.requests).toHaveLength(0)
  })

  it.each([
    ['tools = ["mcp:none"]', 2, "no MCP server 'none' is configured (configured: none)"],
    ['tools = ["mcp:x"]\n[mcp.x]\nargs = []', 1, '[mcp.x] needs either command or url'],
    ['tools = ["mcp:x"]\n[mcp.x]\ncommand = "a"\nurl = "http://b"', 1, 'either command or url'],
    ['tools = ["mcp:x"]\n[mcp.x]\nurl = "ftp://b"', 1, 'has an invalid url: ftp://b'],
    [
      'tools = ["mcp:x"]\n[mcp.x]\nurl = "http://b"\nkey_env = "NOT_SET"',
      1,
      '[mcp.x] needs the environment variable NOT_SET, which is not set',
    ],
    ['tools = ["mcp:"]', 2, "no MCP server '' is configured"],
  ])('is rejected with one line for an invalid configuration: %s', async (toml, code, words) => {
    at.box.config(`${toml}\n`)
    const ran = await at.box.exec('hi')
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(words)
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('has secrets that zdx config show hides', async () => {
    at.box.config(
      '[mcp.x]\ncommand = "a"\nenv = { TOKEN = "hush-hush" }\nheaders = { A = "hush" }\n',
    )
    const { stdout, stderr } = await at.box.zdx(['config', 'show'])
    expect(stdout).toContain('mcp')
    expect(stdout + stderr).not.toContain('hush')
  })
})

describe('the servers of zdx', () => {
  /** Running processes with this test's folder in their environment. */
  function survivors(): string[] {
    return readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid) || !isRunning(pid)) return false
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MCP_STARTS=${starts}`)
      } catch {
        return false
      }
    })
  }

  it('end with zdx, even if they ignore the end of input and SIGTERM', async () => {
    configure(['mcp:own/echo'], 'stubborn')
    expect(await at.box.exec('hi')).toMatchObject({ code: 0 })
    expect(survivors()).toEqual([])
    expect(startedServers()).toHaveLength(1)
  })

  it.each([
    ['one Ctrl+C', 1],
    ['two of them at once', 2],
  ])('end after %s during a call', async (_name, times) => {
    configure(['mcp:own'], 'stubborn')
    at.respond = answer({ tool: 'own__hang', input: {} })
    const child = at.box.start(['exec', '-p', 'go', '--session', 's'])
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    await until(() => stderr.includes('Running own__hang'))
    for (let count = 0; count < times; count++) child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    await until(() => survivors().length === 0)
    at.respond = say('back')
    expect(await at.box.exec('again', '--session', 's')).toMatchObject({
      code: 0,
      stdout: 'back\n',
    })
  })

  it('end after Ctrl+C during their start', async () => {
    at.box.config(`tools = ["mcp:own"]\n[mcp.own]\ncommand = "sleep"\nargs = ["300"]
env = { MCP_STARTS = ${JSON.stringify(starts)} }\n`)
    const child = at.box.start(['exec', '-p', 'go', '--session', 's'])
    await until(() => survivors().length > 0)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(survivors()).toEqual([])
    expect(at.box.session('s').at(-1)).toMatchObject({ type: 'interrupted' })
    expect(at.server.requests).toHaveLength(0)
  })
})
