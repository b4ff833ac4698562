import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { asProcess } from '../contract/run-here.ts'

/** Only where the kernel allows unprivileged namespaces. */
const probe = ['-Urmpnf', 'sh', '-c', 'mount -t tmpfs t /tmp && mount -t proc p /proc']
const hasNamespaces = spawnSync('unshare', probe).status === 0

const lab = new LabProject()
const servers: Server[] = []
const ports: number[] = []

beforeAll(async () => {
  const http = createHttp((request, response) => response.end(`seen ${request.url}`))
  const mcp = createTcp((socket) => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"tool"}]}}\n'
    socket.on('data', () => socket.write(text))
    socket.on('error', () => undefined)
  })
  for (const server of [http, mcp]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    ports.push((server.address() as AddressInfo).port)
  }
})
afterAll(() => {
  for (const server of servers) server.close()
  lab.remove()
})

const agent = `const http = require('http'), net = require('net'), fs = require('fs')
const get = (url) => new Promise((done) => http.get(url, (answer) => {
  let text = ''; answer.on('data', (part) => (text += part)); answer.on('end', () => done(text))
}).on('error', (error) => done(error.code)))
const call = (url) => new Promise((done) => {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\\n')
  socket.on('data', (bytes) => { socket.end(); done(JSON.parse(bytes).result.content[0].text) })
  socket.on('error', (error) => done(error.code))
})
;(async () => {
  const result = [await get(process.env.API + '/a'), await call(process.env.TOOLS), await get(process.env.DIRECT)]
  fs.writeFileSync(process.env.ZCL_OUT_DIR + '/mission.result.json', JSON.stringify({ ok: true, result: result.join(', ') }))
})()
`

test.skipIf(!hasNamespaces)(
  'with network: funnel-only an attempt reaches the funnels of its suite and nothing else',
  async () => {
    const [http = 0, mcp = 0] = ports
    lab.suite([{ missionId: 'one', prompt: 'go' }], {
      isolation: 'namespace',
      network: 'funnel-only',
      funnels: [
        { upstream: `http://127.0.0.1:${http}/base`, env: 'API' },
        { upstream: `tcp://127.0.0.1:${mcp}`, env: 'TOOLS', protocol: 'mcp' },
      ],
    })
    lab.write('agent.cjs', agent)
    const env = { ...asProcess, DIRECT: `http://127.0.0.1:${http}/` }
    const flags = ['--finalization-mode', 'auto_from_result_json']
    const run = await lab.suiteRun(flags, [process.execPath, './agent.cjs'], env)
    expect(run.json.attempts).toMatchObject([{ outcome: 'passed' }])
    const folder = path.join(run.folder, 'attempts/001-one-r1')
    const result = 'seen /base/a, tool, ECONNREFUSED'
    expect(lab.artifact(run, '001-one-r1', 'feedback.json')).toMatchObject({ result })
    const trace = readFileSync(path.join(folder, 'tool.calls.jsonl'), 'utf8').trim().split('\n')
    expect(trace.map((line) => (JSON.parse(line) as { tool: string }).tool)).toEqual([
      'http',
      'mcp',
    ])
    expect(lab.artifact(run, '001-one-r1', 'attempt.json')).toMatchObject({
      isolation: 'namespace',
      network: 'funnel-only',
    })
  },
  60_000,
)
