// 500 clients call a `zeno serve --http` for ten minutes, one in five of them over `/jsonl` and the others as official
// MCP clients: is every call answered within the 60 s that clients wait, and does the memory of the server stay flat?
// ZENO_BENCH_MINUTES (10) and ZENO_BENCH_CLIENTS (500).
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Case } from './harness/case.ts'
import { repositoryOf, storeRepository } from './harness/zeno-server.ts'

interface Soak {
  /** Resident MiB of the server at the end of each minute. */
  rss: number[]
  /** Milliseconds of each answered call. */
  times: number[]
  failures: string[]
  /** Refusals of a busy server, after which a client waited and asked again. */
  busy: number
}

const minutes = Number(process.env.ZENO_BENCH_MINUTES ?? 10)
const clients = Number(process.env.ZENO_BENCH_CLIENTS ?? 500)
/** Mean time between the calls of one client, and the time in which all clients connect, in ms. */
const thinkMs = 20_000
const connectMs = 60_000

export const cases: readonly Case[] = [
  {
    name: 'soak',
    question: '500 clients over HTTP for ten minutes: how many calls fail, and does memory grow?',
    repetitions: 1,
    async prepare(scratch) {
      storeRepository(scratch)
      const soak = await runSoak(repositoryOf(scratch))
      console.log(summaryOf(soak))
      writeFileSync(path.join(scratch, 'soak.json'), JSON.stringify(soak))
    },
    variants: [
      { name: 'failed calls', unit: 'calls', run: (at) => soakOf(at).failures.length },
      { name: 'growth after four minutes', unit: '%', run: (at) => growthOf(soakOf(at)) },
    ],
    goals: [
      { variant: 'failed calls', figure: 'amount', atMost: 0 },
      { variant: 'growth after four minutes', figure: 'amount', atMost: 10 },
    ],
  },
]

function soakOf(scratch: string): Soak {
  return JSON.parse(readFileSync(path.join(scratch, 'soak.json'), 'utf8')) as Soak
}

/** The median of the last three minutes, compared with that of minutes two to four. */
function growthOf({ rss }: Soak): number {
  // A short run has fewer minutes.
  const median = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Infinity
  return Math.max(0, (median(rss.slice(-3)) / median(rss.slice(1, 4)) - 1) * 100)
}

function summaryOf({ rss, times, failures, busy }: Soak): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`
  return (
    `${times.length} calls, p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(0.9999)}\n` +
    `RSS at the end of each minute: ${rss.map((mib) => Math.round(mib)).join(' ')} MiB\n` +
    `${busy} times busy, ${failures.length} failed${failures.length > 0 ? `, such as ${failures[0]}` : ''}`
  )
}

async function runSoak(repository: string): Promise<Soak> {
  const { child, port } = await startServer(repository)
  const soak: Soak = { rss: [], times: [], failures: [], busy: 0 }
  const end = performance.now() + minutes * 60_000
  try {
    const running = Array.from({ length: clients }, (_, number) =>
      runClient(port, number, end, soak),
    )
    for (let minute = 1; minute <= minutes; minute++) {
      await pause(Math.max(0, end - (minutes - minute) * 60_000 - performance.now()))
      soak.rss.push(rssMib(child))
    }
    await Promise.all(running)
  } finally {
    child.kill('SIGKILL')
  }
  return soak
}

async function startServer(repository: string): Promise<{ child: ChildProcess; port: number }> {
  const zeno = path.join(repository, 'packages/zeno/bin/zeno.cjs')
  const args = [zeno, 'serve', '--root', path.join(repository, 'packages'), '--http', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      text += String(chunk)
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)
      if (found !== null) resolve(Number(found[1]))
    })
    child.once('exit', () => reject(new Error(text)))
  })
  return { child, port }
}

interface Connection {
  /** Sends a call; false if the answer is an error. */
  send(call: number): Promise<boolean>
  close(): Promise<void>
}

/** A client pauses half to one and a half think times between calls. */
async function runClient(port: number, number: number, end: number, soak: Soak): Promise<void> {
  await pause((number / clients) * connectMs)
  const fetch = patientFetch(soak)
  const base = `http://127.0.0.1:${port}`
  const { send, close } = number % 5 === 4 ? jsonlClient(base, fetch) : mcpClient(base, fetch)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      soak.failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  for (let call = number; performance.now() < end; call++) {
    await attempt(async () => {
      const started = performance.now()
      if (!(await send(call))) throw new Error('an answer is an error')
      soak.times.push(performance.now() - started)
    })
    await pause(thinkMs * (0.5 + ((call * 0.618) % 1)))
  }
  await attempt(close)
}

function mcpClient(base: string, fetch: typeof globalThis.fetch): Connection {
  const client = new Client({ name: 'soak', version: '1' })
  let isConnected = false
  return {
    async send(call) {
      const url = new URL(`${base}/mcp`)
      if (!isConnected) await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
      isConnected = true
      const { isError } = await client.callTool(requestOf(call))
      return isError !== true
    },
    close: () => client.close(),
  }
}

function jsonlClient(base: string, fetch: typeof globalThis.fetch): Connection {
  return {
    async send(call) {
      const { name, arguments: args } = requestOf(call)
      const body = `${JSON.stringify({ id: call, op: name, args })}\n`
      const signal = AbortSignal.timeout(60_000)
      const response = await fetch(`${base}/jsonl`, { method: 'POST', body, signal })
      return ((await response.json()) as { ok?: boolean }).ok === true
    },
    close: () => Promise.resolve(),
  }
}

/** Waits as long as a busy server says, and asks again. */
function patientFetch(soak: Soak): typeof fetch {
  return async (input, init) => {
    for (;;) {
      const response = await fetch(input, init)
      if (response.status !== 429 && response.status !== 503) return response
      soak.busy++
      await response.body?.cancel()
      await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
    }
  }
}

const words = ['export function', 'createServer', 'zzqxabsent', 'import type', 'TODO', 'return']

function requestOf(call: number): { name: string; arguments: Record<string, unknown> } {
  const pattern = words[call % words.length]
  return call % 3 === 0
    ? { name: 'read_file', arguments: { path: 'zeno/package.json' } }
    : { name: 'grep', arguments: { pattern } }
}

function rssMib({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
