// `zeno serve --http` and `--tokens`: MCP and JSONL for several clients, each with its own roots.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { Client, createSandbox, readEvents } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

interface Running {
  child: ChildProcess
  port: number
}

let box: Sandbox
let server: Running
const alpha = 'alpha-token-0123456789'
const beta = 'beta-token-0123456789'
const children: ChildProcess[] = []
let tokens: string[]

beforeAll(async () => {
  box = createSandbox()
  box.put({ 'x.txt': 'needle one\n' }, path.join(box.base, 'one'))
  box.put({ 'y.txt': 'needle two\n' }, path.join(box.base, 'two'))
  const file = path.join(box.base, 'tokens.toml')
  const rows = [
    `[[tokens]]\ntoken = "${alpha}"\nroots = ["one", "two"]\n`,
    `[[tokens]]\ntoken = "${beta}"\nroots = ["two"]\n`,
  ]
  writeFileSync(file, rows.join(''), { mode: 0o600 })
  tokens = ['--tokens', file]
  server = await start([...roots(), ...tokens, '--log', path.join(box.base, 'trace.jsonl')])
})
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await box.remove()
})

function roots(): string[] {
  return ['--root', path.join(box.base, 'one'), '--root', path.join(box.base, 'two')]
}

async function start(args: string[]): Promise<Running> {
  const all = ['serve', '--http', '127.0.0.1:0', ...args]
  const child = spawn(builtProgram('zeno'), all, {
    cwd: box.base,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let stderr = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk)
      const found = /zeno: listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(stderr)
      if (found !== null) resolve(Number(found[1]))
    })
    child.once('exit', () => reject(new Error(stderr)))
  })
  return { child, port }
}

interface Sent {
  token?: string | undefined
  body?: string
  path?: string
  method?: string
  headers?: Record<string, string>
  port?: number
}

async function send({
  token,
  body = '',
  path: url = '/jsonl',
  method = 'POST',
  headers,
  port,
}: Sent) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const at = port ?? server.port
  const host = { host: `127.0.0.1:${at}` }
  const options = { host: '127.0.0.1', port: at, path: url, method, agent: false as const }
  const call = http.request({ ...options, headers: { ...host, ...authorization, ...headers } })
  call.on('error', () => {})
  call.end(body)
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, text, headers: response.headers }
}

const grepLine = '{"id":"1","op":"grep","args":{"pattern":"needle"}}\n'

async function connect(token: string | undefined, port = server.port): Promise<McpClient> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  const client = new McpClient({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

describe('JSONL over POST', () => {
  it('answers every line of the body in order', async () => {
    const body = `${grepLine}not json\n{"id":"3","op":"read_file","args":{"path":"one:x.txt"}}`
    const reply = await send({ token: alpha, body })
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    })
    const answers = reply.text.trimEnd().split('\n')
    expect(answers.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: '1', ok: true, result: { hits: [{ path: 'one:x.txt' }, { path: 'two:y.txt' }] } },
      { id: null, ok: false },
      { id: '3', ok: true, result: { text: 'needle one' } },
    ])
  })

  it('gives a second token only its own roots, as if there were no others', async () => {
    const { text } = await send({ token: beta, body: grepLine })
    expect(JSON.parse(text)).toMatchObject({ result: { hits: [{ path: 'two:y.txt' }] } })
    expect((JSON.parse(text) as { result: { hits: unknown[] } }).result.hits).toHaveLength(1)
    for (const args of ['{"path":"one:x.txt"}', '{"path":"x.txt","roots":["one"]}']) {
      const line = `{"id":1,"op":"read_file","args":${args}}`
      const { text: refused } = await send({ token: beta, body: line })
      expect(JSON.parse(refused)).toEqual({
        ...{ id: 1, ok: false, error: { message: 'unknown root: one' } },
      })
    }
  })

  it('is refused without a known token, for another host or origin, method, path or size', async () => {
    expect(await send({ body: grepLine })).toMatchObject({
      ...{ status: 401, headers: { 'www-authenticate': 'Bearer' } },
    })
    expect(await send({ token: `${beta}x`, body: grepLine })).toMatchObject({ status: 401 })
    const host = { host: 'evil.example' }
    expect(await send({ token: beta, headers: host })).toMatchObject({ status: 403 })
    const origin = { origin: 'http://evil.example' }
    expect(await send({ token: beta, headers: origin })).toMatchObject({ status: 403 })
    expect(await send({ token: beta, method: 'GET' })).toMatchObject({ status: 405 })
    expect(await send({ token: beta, path: '/other' })).toMatchObject({ status: 404 })
    expect(await send({ token: beta, body: 'x'.repeat(1_000_001) })).toMatchObject({ status: 413 })
  })

  it('numbers exchanges as connections in the trace, which has no token', () => {
    const events = readEvents(path.join(box.base, 'trace.jsonl'))
    const requests = events.filter(({ event }) => event === 'request')
    expect(new Set(requests.map(({ conn }) => conn)).size).toBeGreaterThan(1)
    expect(JSON.stringify(events)).not.toMatch(/alpha-token|beta-token/)
  })
})

describe('MCP over streamable HTTP', () => {
  it('serves the tools to the official client, limited to the roots of its token', async () => {
    const client = await connect(beta)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('grep')
    expect(client.getInstructions()).toContain('two')
    expect(client.getInstructions()).not.toContain('one,')
    const found = await client.callTool({ name: 'grep', arguments: { pattern: 'needle' } })
    expect(JSON.stringify(found.content)).toContain('two:y.txt')
    expect(JSON.stringify(found.content)).not.toContain('one:x.txt')
    const refused = await client.callTool({ name: 'read_file', arguments: { path: 'one:x.txt' } })
    expect(refused).toMatchObject({ isError: true, content: [{ text: 'unknown root: one' }] })
    await client.close()
  })

  it('refuses a client without a token', async () => {
    await expect(connect(undefined)).rejects.toThrow()
  })

  it('answers many clients at the same time', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect(alpha)))
    const calls = clients.map((client) =>
      client.callTool({ name: 'read_file', arguments: { path: 'one:x.txt' } }),
    )
    for (const found of await Promise.all(calls)) {
      expect(found.structuredContent).toMatchObject({ text: 'needle one' })
    }
    await Promise.all(clients.map((client) => client.close()))
  })
})

describe('a server without tokens', () => {
  it('serves programs of the same user, shares one budget between them, and ends on SIGTERM', async () => {
    const { child, port } = await start(['--root', path.join(box.base, 'one'), '--budget', 'ops=1'])
    const line = '{"id":1,"op":"list_files"}'
    expect(JSON.parse((await send({ port, body: line })).text)).toMatchObject({
      result: { files: ['x.txt'] },
    })
    expect(JSON.parse((await send({ port, body: line })).text)).toMatchObject({
      error: { message: 'budget spent: ops (1 of 1 used)' },
    })
    expect(await send({ port, headers: { host: 'evil.example' } })).toMatchObject({ status: 403 })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('--tokens', () => {
  it('is checked in the field `token` of requests on standard input', async () => {
    const client = new Client(['serve', ...roots(), ...tokens], box.base)
    client.write(`{"id":1,"op":"list_files"}\n{"id":2,"op":"list_files","token":"wrong"}\n`)
    client.write(`{"id":3,"op":"list_files","token":"${beta}"}\n`)
    expect(await client.next()).toEqual({ id: 1, ok: false, error: { message: 'missing token' } })
    expect(await client.next()).toEqual({ id: 2, ok: false, error: { message: 'unknown token' } })
    expect(await client.next()).toMatchObject({ id: 3, result: { files: ['two:y.txt'] } })
    await client.end()
  })

  it('must be a private file, name existing roots, and is required for other addresses', async () => {
    const file = path.join(box.base, 'wrong.toml')
    const serve = ['serve', ...roots(), '--http', '127.0.0.1:0']
    writeFileSync(file, '[[tokens]]\ntoken = "x"\nroots = ["three"]\n', { mode: 0o600 })
    const unknown = await box.zeno([...serve, '--tokens', file])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('token 1: unknown root: three')
    // Without its list, a token would open all roots.
    writeFileSync(file, '[[tokens]]\ntoken = "x"\nrots = ["one"]\n')
    const misspelt = await box.zeno([...serve, '--tokens', file])
    expect(misspelt).toMatchObject({ code: 2, stdout: '' })
    expect(misspelt.stderr).toContain('wrong.toml:3: unknown key tokens[0].rots')
    chmodSync(file, 0o644)
    const open = await box.zeno([...serve, '--tokens', file])
    expect(open.code).toBe(2)
    expect(open.stderr).toContain('chmod 600')
    const everywhere = await box.zeno(['serve', ...roots(), '--http', '0.0.0.0:0'])
    expect(everywhere).toMatchObject({ code: 2 })
    expect(everywhere.stderr).toContain('--tokens')
    const wrong = await box.zeno(['serve', ...roots(), '--http', 'example.org'])
    expect(wrong).toMatchObject({ code: 2 })
  })
})
