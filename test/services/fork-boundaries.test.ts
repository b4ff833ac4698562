// Forks over every boundary: a command, an MCP server on standard streams, an MCP server on the network and
// an HTTP service. The services are down while the forks run.
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../support/paths.ts'
import { asProcess } from '../contract/run-here.ts'
import { linesOf, type Json } from '../contract/zcl/project.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { startMcpHttpServer, type McpHttpServer } from '../contract/zcl-funnels/mcp-http-server.ts'

const lab = new LabProject()
let attempt = ''

/** Answers every request; leaves a file when it starts. */
const stdioServer = `require('fs').writeFileSync(process.env.STARTED, '')
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'tools/call' ? { content: [{ type: 'text', text: 'from stdio' }] } : {}
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})`

/** Makes one call over each boundary and reports what it got. */
const agent = `const { execFileSync, spawn } = require('child_process')
const zcl = process.env.ZCL_BIN
const stdio = () => new Promise((done) => {
  const child = spawn(process.execPath, [zcl, 'mcp', 'proxy', '--', process.execPath, process.env.STDIO_SERVER])
  let text = ''
  child.stdout.on('data', (part) => {
    text += part
    const lines = text.split('\\n').slice(0, -1).map((line) => JSON.parse(line))
    if (lines.length === 2) { child.stdin.end(); child.on('close', () => done(lines[1])) }
  })
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\\n')
  child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{}}}\\n')
})
let session
const post = async (message) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  if (session) headers['mcp-session-id'] = session
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  const answer = await fetch(process.env.TOOLS, { method: 'POST', headers, body })
  session = answer.headers.get('mcp-session-id') ?? session
  const text = await answer.text()
  return text === '' ? undefined : JSON.parse(text.replace(/^[\\s\\S]*?data: /, ''))
}
const network = async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  await post({ id: 1, method: 'initialize', params })
  await post({ method: 'notifications/initialized' })
  return post({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: { n: 1 } } })
}
;(async () => {
  const command = execFileSync(process.execPath, [zcl, 'run', '--', 'tool'], { encoding: 'utf8' })
  const texts = [await stdio(), await network()].map(({ result, error }) => error?.message ?? result.content[0].text)
  const page = await (await fetch(process.env.API + '/page', { method: 'POST', body: 'question' })).text()
  const result = [command.trim(), ...texts, page].join(' | ')
  const ok = result === 'from tool | from stdio | {"n":1} | from http'
  require('fs').writeFileSync(process.env.ZCL_OUT_DIR + '/mission.result.json', JSON.stringify({ ok, result }))
})()
`

const started = () => path.join(lab.folder, 'started')
const env = (): Record<string, string> => ({
  ...asProcess,
  PATH: `${lab.folder}/bin:${process.env.PATH}`,
  ZCL_BIN: builtProgram('zcl'),
  STDIO_SERVER: path.join(lab.folder, 'server.cjs'),
  STARTED: started(),
})

beforeAll(async () => {
  const http: Server = createServer((_, response) => response.end('from http'))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const tools: McpHttpServer = await startMcpHttpServer(false)
  chmodSync(lab.write('bin/tool', '#!/bin/sh\necho from tool\n'), 0o755)
  lab.write('server.cjs', stdioServer)
  lab.write('agent.cjs', agent)
  lab.suite([{ missionId: 'one', prompt: 'go' }], {
    funnels: [
      { upstream: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`, env: 'API' },
      { upstream: tools.url, env: 'TOOLS', protocol: 'mcp' },
    ],
  })
  const flags = ['--finalization-mode', 'auto_from_result_json']
  const run = await lab.suiteRun(flags, [process.execPath, './agent.cjs'], env())
  expect(run.json.attempts, run.out + run.err).toMatchObject([{ outcome: 'passed' }])
  attempt = path.join(run.folder, 'attempts/001-one-r1')
  http.closeAllConnections()
  http.close()
  await tools.close()
  rmSync(path.join(lab.folder, 'bin/tool'))
  rmSync(started())
}, 60_000)
afterAll(() => lab.remove())

async function fork(...args: string[]): Promise<Json & { attemptDir: string }> {
  const ran = await lab.zcl(['fork', attempt, ...args, '--json'], { env: env() })
  expect(ran.code, ran.err).toBe(0)
  return JSON.parse(ran.out) as Json & { attemptDir: string }
}

/** The trace by the starts of its calls, without ids, times and the chain. */
function content(folder: string): string {
  return linesOf(path.join(folder, 'tool.calls.jsonl'))
    .sort((a, b) => Date.parse(String(a.ts)) - Date.parse(String(b.ts)))
    .map((line) => JSON.stringify(line))
    .join('\n')
    .replaceAll(/"(?:ts|runId|id|parentId|chain|attemptId)":"[^"]*",?/g, '')
    .replaceAll(/"(?:durationMs|firstByteMs)":\d+/g, '')
}

test('a fork without a patch reproduces the attempt byte for byte, with every service down', async () => {
  const result = await fork()
  expect(result).toMatchObject({ identical: true, flipped: false, divergence: null })
  expect(result.calls).toMatchObject({ patched: 0, borrowed: 0, live: 0, unrecorded: 0 })
  expect(content(result.attemptDir)).toBe(content(attempt))
  expect(existsSync(started())).toBe(false)
}, 60_000)

test.each([
  [
    2,
    { result: { content: [{ type: 'text', text: 'patched' }] } },
    'from tool | patched | {"n":1} | from http',
  ],
  [3, { error: { code: -1, message: 'broken' } }, 'from tool | from stdio | broken | from http'],
  [4, { result: { status: 500, body: 'patched' } }, 'from tool | from stdio | {"n":1} | patched'],
])(
  'a patch at call %i flips the outcome without a live call',
  async (at, patch, expected) => {
    lab.write('patch.json', patch)
    const result = await fork('--at', String(at), '--patch', 'patch.json')
    expect(result).toMatchObject({ at, outcome: 'failed', flipped: true })
    expect(result.calls).toMatchObject({ patched: 1, live: 0, unrecorded: 0 })
    const text = readFileSync(path.join(result.attemptDir, 'feedback.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ result: expected })
  },
  60_000,
)
