// `zcl fork --live`: real MCP servers after the patched call, on standard streams and over HTTP.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { asProcess } from '../run-here.ts'
import type { Json } from '../zcl/project.ts'
import { startMcpHttpServer, type McpHttpServer } from '../zcl-funnels/mcp-http-server.ts'
import { LabProject } from './lab-project.ts'

const lab = new LabProject()
let tools: McpHttpServer
let attempt = ''

/** Writes down every method, and refuses a second `initialize`. */
const stdioServer = `let isOpen = false
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  require('fs').appendFileSync(process.env.LOG, method + '\\n')
  if (id === undefined) return
  const isSecond = method === 'initialize' && isOpen
  isOpen ||= method === 'initialize'
  const text = JSON.stringify(params?.arguments)
  const body = isSecond ? { error: { code: -32600, message: 'already initialized' } } : { result: { content: [{ type: 'text', text }] } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
})`

/** Calls the tool of each server twice. The second call depends on the environment. */
const agent = `const { spawn } = require('child_process')
const clientInfo = { name: 'agent', version: '1' }
const messages = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { n: '1' } } },
  { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { n: process.env.WHICH } } },
].map((each) => ({ jsonrpc: '2.0', ...each }))
const stdio = () => new Promise((done) => {
  const child = spawn(process.env.ZCL_BIN, ['mcp', 'proxy', '--', process.execPath, process.env.SERVER])
  const answers = []
  const ask = () => child.stdin.write(JSON.stringify(messages[answers.length]) + '\\n')
  require('readline').createInterface({ input: child.stdout }).on('line', (line) => {
    answers.push(JSON.parse(line))
    if (answers.length < messages.length) ask()
    else child.stdin.end()
  })
  child.on('close', () => done(answers))
  ask()
})
const network = async () => {
  const answers = []
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const message of messages) {
    const answer = await fetch(process.env.TOOLS, { method: 'POST', headers, body: JSON.stringify(message) })
    headers['mcp-session-id'] ??= answer.headers.get('mcp-session-id') ?? ''
    answers.push(JSON.parse((await answer.text()).replace(/^[\\s\\S]*?data: /, '')))
  }
  return answers
}
;(async () => {
  const answers = [...(await stdio()), ...(await network())]
  const texts = answers.map(({ result, error }) => error?.message ?? result.content?.[0].text ?? 'opened')
  const result = { ok: true, result: texts.join(' ') }
  require('fs').writeFileSync(process.env.ZCL_OUT_DIR + '/mission.result.json', JSON.stringify(result))
})()
`

const log = path.join(lab.folder, 'log')
const env = (WHICH: string): Record<string, string> => ({
  ...asProcess,
  ZCL_BIN: builtProgram('zcl'),
  SERVER: path.join(lab.folder, 'server.cjs'),
  LOG: log,
  WHICH,
})

beforeAll(async () => {
  tools = await startMcpHttpServer(false)
  lab.write('server.cjs', stdioServer)
  lab.write('agent.cjs', agent)
  const funnels = [{ upstream: tools.url, env: 'TOOLS', protocol: 'mcp' }]
  lab.suite([{ missionId: 'one', prompt: 'go' }], { funnels })
  const flags = ['--finalization-mode', 'auto_from_result_json']
  const run = await lab.suiteRun(flags, [process.execPath, './agent.cjs'], env('2'))
  expect(run.json.attempts, run.out + run.err).toMatchObject([{ outcome: 'passed' }])
  attempt = path.join(run.folder, 'attempts/001-one-r1')
}, 60_000)
afterAll(async () => {
  await tools.close()
  lab.remove()
})

/** The fork, its result, and the methods that the server on standard streams got. */
async function fork(which: string, ...args: string[]) {
  writeFileSync(log, '')
  const ran = await lab.zcl(['fork', attempt, ...args, '--json'], { env: env(which) })
  expect(ran.code, ran.err).toBe(0)
  const json = JSON.parse(ran.out) as Json & { attemptDir: string }
  const feedback = readFileSync(path.join(json.attemptDir, 'feedback.json'), 'utf8')
  const { result } = JSON.parse(feedback) as Json
  return { json, result, methods: readFileSync(log, 'utf8').trim().split('\n') }
}

test('each real server is opened once, also if the agent opens it after the patched call', async () => {
  // The agent opens the server over HTTP after its first call.
  const { json, result, methods } = await fork('2', '--at', '1', '--live')
  // Requests such as initialize and tools/list are no calls of the agent.
  expect(json.calls).toEqual({ served: 1, patched: 0, borrowed: 0, live: 3, unrecorded: 0 })
  expect(result).toMatch(/ \{"n":"1"\} \{"n":"2"\} opened \{"n":"1"\} \{"n":"2"\}$/)
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(1)
}, 60_000)

test('the divergence of an MCP call names its arguments', async () => {
  const { json } = await fork('3', '--live')
  expect(json.divergence).toEqual({
    call: 2,
    recorded: 'mcp echo {"n":"2"}',
    made: 'mcp echo {"n":"3"}',
  })
}, 60_000)

test('an error patch without a code gets one', async () => {
  lab.write('patch.json', { error: { message: 'broken' } })
  const { result } = await fork('2', '--at', '1', '--patch', 'patch.json')
  expect(result).toMatch(/ broken \{"n":"2"\} opened /)
}, 60_000)
