// A temporary project with one attempt, for tests of the funnels.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { builtProgram, childProgram } from '../../support/paths.ts'
import type { Ran } from '../../support/run-program.ts'
import { runCommand } from '../run-here.ts'

export interface Event {
  ts: string
  tool: string
  op: string
  input: Record<string, unknown>
  result: { ok: boolean; code?: string; exitCode?: number; durationMs: number }
  io: { outBytes: number; errBytes: number; outPreview?: string; errPreview?: string }
  redactionsApplied: string[]
  enrichment?: Record<string, unknown>
  warnings?: { code: string; message: string }[]
  integrity?: { truncated: boolean }
  chain?: string
}

export type Env = Record<string, string | undefined>

export interface Started {
  child: ChildProcess
  /** All output so far. */
  out(): Buffer
  err(): string
  write(bytes: string | Uint8Array): void
  /** The next line of stdout, without its line ending. */
  line(): Promise<string>
  end(): void
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface Lab {
  folder: string
  home: string
  env: Env
  attempt: string
  runFolder: string
  runId: string
  zcl(args: string[], options?: { env?: Env; input?: string | Uint8Array }): Promise<Ran>
  start(args: string[], env?: Env): Started
  /** All events of the trace. */
  trace(): Event[]
  /** Waits until the trace holds this many events. */
  traced(count: number): Promise<Event[]>
  file(name: string): string
  /** Registers a cleanup that runs before the lab is removed, in reverse order. */
  closeWith(close: () => unknown): void
  remove(): Promise<void>
}

/** A proxy that has printed its address. */
export interface ListeningProxy extends Started {
  url: URL
  document: Record<string, unknown>
}

export const rawServer = (...flags: string[]) => [
  process.execPath,
  childProgram('zcl', 'raw-server'),
  ...flags,
]

export async function createLab(startFlags: string[] = []): Promise<Lab> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-funnel-')))
  const folder = path.join(base, 'project')
  const home = path.join(base, 'home')
  for (const each of [folder, home]) mkdirSync(each)
  const clean: Env = { HOME: home, NODE_EXTRA_CA_CERTS: undefined, CI: undefined }
  for (const name of Object.keys(process.env)) {
    if (/^(?:ZCL_|CODEX_|CLAUDE_|ZDX_|XDG_)/.test(name)) clean[name] = undefined
  }
  const started = await runCommand(
    'zcl',
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json', ...startFlags],
    { cwd: folder, env: clean },
  )
  const {
    env: ids,
    outDirAbs,
    runId,
  } = JSON.parse(started.stdout) as {
    env: Env
    outDirAbs: string
    runId: string
  }
  const env = { ...clean, ...ids }
  const traceFile = path.join(outDirAbs, 'tool.calls.jsonl')
  const trace = () => (existsSync(traceFile) ? lines(readFileSync(traceFile, 'utf8')) : [])
  const closing: (() => unknown)[] = []
  return {
    folder,
    home,
    env,
    attempt: outDirAbs,
    runFolder: path.dirname(path.dirname(outDirAbs)),
    runId,
    zcl: (args, options = {}) =>
      runCommand('zcl', args, {
        cwd: folder,
        env: { ...env, ...options.env },
        input: options.input,
      }),
    start: (args, more = {}) => {
      const started = startChild(args, folder, { ...process.env, ...env, ...more })
      closing.push(() => started.child.exitCode ?? started.child.kill('SIGKILL'))
      return started
    },
    trace,
    traced: async (count) => {
      await until(() => trace().length >= count, `${count} events`)
      return trace()
    },
    file: (name) => path.join(outDirAbs, name),
    closeWith: (close) => void closing.push(close),
    remove: async () => {
      for (const close of closing.splice(0).reverse()) await close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Starts `zcl http proxy` or `zcl mcp proxy` with an upstream and waits until it listens. */
export async function startProxy(
  lab: Lab,
  kind: 'http' | 'mcp',
  upstream: string,
  flags: readonly string[] = [],
  env: Env = {},
): Promise<ListeningProxy> {
  const proxy = lab.start([kind, 'proxy', '--upstream', upstream, ...flags], env)
  const isUp = () => proxy.out().toString().endsWith('}\n') || proxy.child.exitCode !== null
  await until(isUp, 'the proxy listens')
  const document = JSON.parse(proxy.out().toString()) as Record<string, unknown>
  return { ...proxy, url: new URL(String(document.proxyUrl)), document }
}

/** Makes a server listen on the loopback while the lab exists; returns `127.0.0.1:port`. */
export async function listen(lab: Lab, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lab.closeWith(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Polls until a deadline. */
export async function until(isTrue: () => boolean, what: string, ms = 20_000): Promise<void> {
  const deadline = performance.now() + ms
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(`it never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export function request(id: unknown, method: string, params?: unknown): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}

function lines(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event)
}

function startChild(args: string[], cwd: string, env: Env): Started {
  const child = spawn(builtProgram('zcl'), args, { cwd, env, stdio: 'pipe' })
  const out: Buffer[] = []
  const err: Buffer[] = []
  let taken = 0
  let lineEnds = 0
  let linesTaken = 0
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lineEnds++
  })
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  const all = () => Buffer.concat(out)
  return {
    child,
    out: all,
    err: () => Buffer.concat(err).toString(),
    write: (bytes) => child.stdin.write(bytes),
    line: async () => {
      await until(() => lineEnds > linesTaken, 'a line on stdout')
      linesTaken++
      const end = all().indexOf(10, taken)
      const text = all().subarray(taken, end).toString()
      taken = end + 1
      return text
    },
    end: () => child.stdin.end(),
    ended,
  }
}
