// A temporary folder for one zeno test, and a client of the built server.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { builtProgram } from '../../support/paths.ts'
import type { Ran } from '../../support/run-program.ts'
import { runCommand } from '../run-here.ts'

export type Json = Record<string, unknown>
export type Files = Record<string, string | Uint8Array>

export interface Sandbox {
  base: string
  /** The corpus; the default folder of `put` and `server`. */
  root: string
  put(files: Files, folder?: string): void
  server(args?: string[], root?: string): Client
  zeno(args: string[], options?: { input?: string; env?: Env; cwd?: string }): Promise<Ran>
  remove(): Promise<void>
}

type Env = Record<string, string | undefined>

export interface Reply {
  id: unknown
  ok: boolean
  /** Loosely typed: the tests assert the content. */
  result: Json & { metrics: Json }
  error: { message: string } & Json
}

const cleanEnv: Env = {
  NODE_EXTRA_CA_CERTS: undefined,
  ZENO_ROOT: undefined,
  CODEX_HOME: undefined,
  CLAUDE_PROJECT_DIR: undefined,
  ZENO_LEDGER_MAX_BYTES: undefined,
}

export function createSandbox(files: Files = {}): Sandbox {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-zeno-')))
  const root = path.join(base, 'root')
  mkdirSync(root)
  const clients: Client[] = []
  const box: Sandbox = {
    base,
    root,
    put(files, folder = root) {
      for (const [name, body] of Object.entries(files)) {
        const file = path.join(folder, name)
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, body)
      }
    },
    server(args = [], folder = root) {
      const client = new Client(['serve', '--root', folder, ...args], base)
      clients.push(client)
      return client
    },
    zeno: (args, options = {}) =>
      runCommand('zeno', args, {
        cwd: options.cwd ?? base,
        env: { ...cleanEnv, HOME: base, ...options.env },
        input: options.input,
      }),
    async remove() {
      for (const client of clients) await client.kill()
      rmSync(base, { recursive: true, force: true })
    },
  }
  box.put(files)
  return box
}

export function readEvents(file: string): Json[] {
  const text = readFileSync(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json)
}

/** A client of `zeno serve` that sends requests and reads the answers in order. */
export class Client {
  readonly child: ChildProcessWithoutNullStreams
  readonly lines: string[] = []
  stderr = ''
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  #waiting: (() => void)[] = []
  #linesRead = 0
  #closed = false
  #number = 0

  constructor(args: string[], cwd: string) {
    const env = { ...process.env, ...cleanEnv }
    this.child = spawn(builtProgram('zeno'), args, { cwd, env, stdio: 'pipe' })
    this.child.stdin.on('error', () => {})
    this.child.stderr.on('data', (chunk) => (this.stderr += String(chunk)))
    let parts: Buffer[] = []
    this.child.stdout.on('data', (chunk: Buffer) => {
      let start = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end))
        this.lines.push(Buffer.concat(parts).toString())
        parts = []
        start = end + 1
      }
      if (start < chunk.length) parts.push(chunk.subarray(start))
      this.#wake()
    })
    this.exited = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.#closed = true
        this.#wake()
        resolve({ code, signal })
      })
    })
  }

  write(text: string | Uint8Array): void {
    this.child.stdin.write(text)
  }

  send(op: unknown, args?: unknown, id: unknown = `r${++this.#number}`): void {
    this.write(`${JSON.stringify({ id, op, args })}\n`)
  }

  /** Returns the next unread line. */
  async nextLine(deadlineMs = 55_000): Promise<string> {
    const deadline = Date.now() + deadlineMs
    while (this.lines.length <= this.#linesRead) {
      if (this.#closed) throw new Error(`the server ended: ${this.stderr}`)
      await this.#change(deadline - Date.now())
    }
    return this.lines[this.#linesRead++] ?? ''
  }

  async next(deadlineMs?: number): Promise<Reply> {
    return JSON.parse(await this.nextLine(deadlineMs)) as Reply
  }

  async ask(op: unknown, args?: unknown, id?: unknown): Promise<Reply> {
    if (id === undefined) this.send(op, args)
    else this.send(op, args, id)
    return this.next()
  }

  /** Returns the result of a request that must succeed. */
  async ok(op: string, args?: Json): Promise<Reply['result']> {
    const reply = await this.ask(op, args)
    if (!reply.ok) throw new Error(`${op} failed: ${reply.error.message}`)
    return reply.result
  }

  /** Returns the error message of a request that must fail. */
  async fails(op: unknown, args?: unknown): Promise<string> {
    const reply = await this.ask(op, args)
    if (reply.ok) throw new Error(`${String(op)} succeeded: ${JSON.stringify(reply.result)}`)
    return reply.error.message
  }

  /** Closes the server's input and waits for its exit. */
  async end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin.end()
    return this.exited
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal)
    await this.exited
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer in time')), Math.max(0, ms))
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
