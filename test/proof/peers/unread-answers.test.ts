// Clients of the MCP servers that send many requests before they read an answer, over standard input and output.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'

/** More than a pipe and the open requests take. */
const requestCount = 100_000
const patienceMs = 60_000

const opening = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

let folder: string
let server: ChildProcessWithoutNullStreams
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-unread-'))
})
afterEach(() => {
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function start(program: 'zeno' | 'zino'): void {
  const args = program === 'zeno' ? ['mcp', '--private', '--root', folder] : ['mcp']
  const env = { PATH: process.env.PATH, HOME: folder }
  server = spawn(builtProgram(program), args, { cwd: folder, env })
  server.stdin.on('error', () => {})
  send(opening)
  send({ method: 'notifications/initialized' })
}

function send(message: object): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Waits until the server has answered and uses no more processor time. */
async function idle(): Promise<void> {
  await once(server.stdout, 'readable')
  const end = performance.now() + patienceMs
  let same = 0
  for (let last = -1; same < 5 && performance.now() < end; await sleep(100)) {
    const used = processorTicks()
    same = used === last ? same + 1 : 0
    last = used
  }
  expect(same).toBe(5)
}

function processorTicks(): number {
  const [, fields = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')
  const [user = '0', system = '0'] = fields.split(' ').slice(11, 13)
  return Number(user) + Number(system)
}

function peakMiB(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

describe.each(['zeno', 'zino'] as const)('%s mcp', (program) => {
  it('holds few answers for a client that sends requests and reads nothing, and ends at SIGTERM', async () => {
    start(program)
    for (let id = 1; id <= requestCount; id++) send({ id, method: 'tools/list' })
    await idle()
    expect(server.stdin.writableLength).toBeGreaterThan(0)
    expect(peakMiB()).toBeLessThan(150)
    server.kill('SIGTERM')
    await once(server, 'exit')
  })

  it('holds few calls for a client that cancels each call at once', async () => {
    start(program)
    for (let id = 1; id <= requestCount; id++) {
      send({ id, method: 'tools/call', params: { name: 'grep', arguments: { pattern: 'x' } } })
      send({ method: 'notifications/cancelled', params: { requestId: id } })
    }
    send({ id: 'last', method: 'ping' })
    const lines = createInterface({ input: server.stdout })
    for await (const line of lines) if (line.includes('"last"')) break
    expect(peakMiB()).toBeLessThan(200)
  })

  it('answers every request when the client reads after all', async () => {
    start(program)
    const ids = Array.from({ length: 3000 }, (_, index) => index)
    for (const id of ids.slice(1)) send({ id, method: 'tools/list' })
    await idle()
    const answered: unknown[] = []
    for await (const line of createInterface({ input: server.stdout })) {
      answered.push((JSON.parse(line) as { id: unknown }).id)
      if (answered.length === ids.length) break
    }
    expect(answered).toEqual(ids)
  })
})
