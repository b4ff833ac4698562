// Third-party MCP servers, and MCP over HTTP with keys.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { startKeyedServer } from './mcp-http-server.ts'
import { until } from './sandbox.ts'
import type { ToolBlock } from './script-calls.ts'
import { offeredTools, scriptCalls } from './script-calls.ts'
import { withServer } from './with-server.ts'
import { asProcess } from '../run-here.ts'

const everything = path.join(
  repository,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

const at = withServer()

const offered = () => offeredTools(at)
const calling = (...calls: ToolBlock[]) => scriptCalls(at, calls)

describe('server-everything', () => {
  it('works over stdio: runs tools and accepts every content type', async () => {
    at.box.config(`tools = ["mcp:all"]\n[mcp.all]\ncommand = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([everything, 'stdio'])}\n`)
    const results = calling(
      { tool: 'all__echo', input: { message: 'hi' } },
      { tool: 'all__get-tiny-image', input: {} },
      { tool: 'all__echo', input: {} },
    )
    expect(await at.box.exec('go')).toMatchObject({ code: 0, stdout: 'ok\n' })
    const [echo, image, wrong] = results()
    expect(echo).toEqual({ ok: true, data: { text: 'Echo: hi' } })
    expect(JSON.stringify(image)).toContain('[image image/png, ')
    expect(wrong).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^mcp_/) } })
    expect(offered()).toContain('all__get-sum')
  })

  it('has prompts and resources that :mcp lists, sends and attaches', async () => {
    at.box.config(`tools = ["+mcp:all"]\n[mcp.all]\ncommand = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([everything, 'stdio'])}\n`)
    const listed = await at.box.zdx([], { input: ':mcp\n:q\n' })
    const prompt = /^(?:you> )?:mcp all (\S*simple\S*)/m.exec(listed.stderr)?.[1] ?? ''
    const uri = /^:mcp all (\S+:\/\/\S+)/m.exec(listed.stderr)?.[1] ?? ''
    const input = `:mcp all ${prompt}\n:mcp all ${uri}\nlook\n:mcp none x\n:q\n`
    const ran = await at.box.zdx([], { input })
    expect(ran.stdout).toBe('ok\nok\n')
    expect(at.server.requests).toHaveLength(2)
    expect(at.server.requests[1]?.raw).toContain(uri)
    expect(ran.stderr).toContain("there is no MCP server 'none'")
  })

  it('works over HTTP', async () => {
    const { child, url } = await startEverything()
    try {
      at.box.config(`tools = ["mcp:all/echo"]\n[mcp.all]\nurl = "${url}"\n`)
      const results = calling({ tool: 'all__echo', input: { message: 'hi' } })
      expect(await at.box.exec('go')).toMatchObject({ code: 0, stdout: 'ok\n' })
      expect(results()).toEqual([{ ok: true, data: { text: 'Echo: hi' } }])
      expect(offered()).toEqual(['all__echo'])
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  })

  async function freePort(): Promise<number> {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    listener.close()
    await once(listener, 'close')
    return port
  }

  async function startEverything(): Promise<{ child: ChildProcess; url: string }> {
    const port = String(await freePort())
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    await until(() => stderr.includes('listening'))
    return { child, url: `http://127.0.0.1:${port}/mcp` }
  }
})

describe('an MCP server over HTTP', () => {
  it('receives its key from the environment and the headers of its section', async () => {
    const keyed = await startKeyedServer('the-key-of-the-server')
    try {
      at.box.config(`tools = ["mcp:far"]\n[mcp.far]\nurl = "${keyed.url}"
key_env = "FAR_KEY"\nheader_env = { X-Team = "FAR_TEAM" }\nheaders = { X-Plain = "plain" }\n`)
      const results = calling(
        { tool: 'far__large', input: {} },
        { tool: 'far__echo', input: { a: [1, null] } },
      )
      const env = { FAR_KEY: 'the-key-of-the-server', FAR_TEAM: 'blue' }
      await at.box.zdx(['exec', '-p', 'go'], { env })
      expect(results()).toMatchObject([
        { ok: false, error: { message: 'MCP server far: it sent more than 16777216 bytes' } },
        { ok: true, data: { text: '{"a":[1,null]}' } },
      ])
      expect(keyed.seen[0]).toMatchObject({ 'x-team': 'blue', 'x-plain': 'plain' })
    } finally {
      await keyed.close()
    }
  })

  it('causes a warning without the key when it rejects the connection', async () => {
    const keyed = await startKeyedServer('right')
    try {
      at.box.config(`tools = ["mcp:far"]\n[mcp.far]\nurl = "${keyed.url}"\nkey_env = "FAR_KEY"\n`)
      const ran = await at.box.zdx(['exec', '-p', 'go'], { env: { FAR_KEY: 'a-wrong-secret' } })
      expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
      expect(ran.stderr).toMatch(/Warning: MCP server far: .*\[redacted\].*not offered\n/)
      expect(ran.stderr).not.toContain('a-wrong-secret')
      await keyed.close()
      const gone = await at.box.zdx(['exec', '-p', 'go'], {
        env: { ...asProcess, FAR_KEY: 'x' },
      })
      expect(gone.stderr).toMatch(/MCP server far: nothing is listening there; .*not offered\n/)
    } finally {
      await keyed.close()
    }
  })
})
