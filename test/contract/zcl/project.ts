// A temporary project with its own HOME, and zcl run in it as a user would.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { builtProgram } from '../../support/paths.ts'
import { runCommand } from '../run-here.ts'

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  out: string
  err: string
}

export interface RunOptions {
  env?: Record<string, string | undefined>
  input?: string | Uint8Array
  cwd?: string
  onStart?: (child: ChildProcess) => void
}

export type Json = Record<string, unknown>

/** A line of the trace that `zcl run` wrote. */
export interface CallEvent {
  ts: string
  tool: string
  op: string
  input: { argv: string[] }
  result: { ok: boolean; code?: string; exitCode?: number; durationMs: number }
  io: { outBytes: number; errBytes: number; outPreview?: string; errPreview?: string } & Json
  redactionsApplied: string[]
  enrichment?: Json
  integrity: { truncated: boolean }
  chain: string
}

export interface StartedAttempt {
  runId: string
  attemptId: string
  folder: string
  runFolder: string
  outDir: string
  env: Record<string, string>
  file(name: string): string
  trace(): Json[]
  /** The last event of the trace. */
  last(): CallEvent
}

export class Project {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-contract-')))
  readonly folder = path.join(this.root, 'project')
  readonly home = path.join(this.root, 'home')

  constructor() {
    mkdirSync(this.folder)
    mkdirSync(this.home)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  write(name: string, content: string | object): string {
    const file = path.join(this.folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** Runs a command, in the process of the test where that makes no difference. */
  async zcl(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    if (options.onStart !== undefined || args[0] === 'run') return this.program(args, options)
    const hidden = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
    const { code, signal, stdout, stderr } = await runCommand('zcl', [...args], {
      cwd: options.cwd ?? this.folder,
      env: { ...hidden, ...cleanEnvironment(), HOME: this.home, ...options.env },
      input: options.input,
    })
    return { code, signal, stdout: Buffer.from(stdout), out: stdout, err: stderr }
  }

  /** Starts the built program. */
  program(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(builtProgram('zcl'), args, {
        cwd: options.cwd ?? this.folder,
        env: { ...cleanEnvironment(), HOME: this.home, ...options.env },
        stdio: 'pipe',
      })
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
      child.stdin.on('error', () => {})
      child.stdin.end(options.input)
      child.on('error', reject)
      child.on('close', (code, signal) => {
        const stdout = Buffer.concat(out)
        const said = Buffer.concat(err).toString()
        resolve({ code, signal, stdout, out: stdout.toString(), err: said })
      })
      options.onStart?.(child)
    })
  }

  async json(args: readonly string[], options: RunOptions = {}): Promise<Ran & { json: Json }> {
    const ran = await this.zcl([...args, '--json'], options)
    try {
      return { ...ran, json: JSON.parse(ran.out) as Json }
    } catch {
      throw new Error(`zcl ${args.join(' ')} (exit ${ran.code}): ${ran.err}\n${ran.out}`)
    }
  }

  async start(extra: readonly string[] = [], options: RunOptions = {}): Promise<StartedAttempt> {
    const args = ['attempt', 'start', '--suite', 'smoke', '--mission', 'hello', ...extra]
    const { json } = await this.json(args, options)
    const folder = json.outDirAbs as string
    const trace = () => linesOf(path.join(folder, 'tool.calls.jsonl'))
    return {
      runId: json.runId as string,
      attemptId: json.attemptId as string,
      folder,
      runFolder: path.dirname(path.dirname(folder)),
      outDir: json.outDir as string,
      env: json.env as Record<string, string>,
      file: (name) => path.join(folder, name),
      trace,
      last: () => trace().at(-1) as unknown as CallEvent,
    }
  }

  run(attempt: StartedAttempt, argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.zcl(['run', '--', ...argv], { ...options, env: { ...attempt.env, ...options.env } })
  }

  /** Adds two calls, an outcome and a note. */
  async complete(extra: readonly string[] = []): Promise<StartedAttempt> {
    const attempt = await this.start(extra)
    await this.run(attempt, ['echo', 'one'])
    await this.run(attempt, ['sh', '-c', 'echo two; exit 3'])
    await this.zcl(['feedback', '--ok', '--result', 'DONE=1'], { env: attempt.env })
    await this.zcl(['note', '--message', 'fine'], { env: attempt.env })
    return attempt
  }
}

/** The environment without variables of an attempt, a CI or Node. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:ZCL_|ZEE_|CODEX_|NODE_|VITEST|NO_COLOR|FORCE_COLOR|CI$)/.test(name),
  )
  return Object.fromEntries(kept)
}

export function linesOf(file: string): Json[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error(`${file} does not end with a newline`)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
}

export function readJson(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json
}

/** Every file below a folder with a hash of its content. */
export function filesBelow(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const inner = path.join(place, entry.name)
      if (entry.isDirectory()) visit(inner)
      else if (lstatSync(inner).isSymbolicLink()) found[path.relative(folder, inner)] = 'link'
      else found[path.relative(folder, inner)] = sha256(readFileSync(inner))
    }
  }
  visit(folder)
  return found
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Waits until `ready` returns true, with a deadline. */
export async function until(ready: () => boolean, what: string, ms = 20_000): Promise<void> {
  const end = Date.now() + ms
  while (!ready()) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
