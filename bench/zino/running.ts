// Starts the measured programs and reads their CPU time and memory from /proc.
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface RunningProgram {
  pid: number
  /** The next line of its output. */
  line(): Promise<string>
  write(text: string): void
  stop(): void
}

export interface RunningZino {
  pid: number
  /** Process ids of the seven services. */
  services(): number[]
  pidOf(name: string): number
  daemon: string
  /** From its start until it reports that it is up. */
  wallMs: number
  stop(): Promise<void>
}

/** Starts a model and a zino that uses it, and stops both afterwards. */
export async function withZino<Result>(
  scratch: string,
  work: (running: {
    model: string
    daemon: string
    pids: (name: string) => number
  }) => Promise<Result>,
): Promise<Result> {
  const program = await startProgram(scratch, 'model.cjs')
  try {
    const model = await program.line()
    const zino = await startZino(scratch, model)
    try {
      return await work({ model, daemon: zino.daemon, pids: zino.pidOf })
    } finally {
      await zino.stop()
    }
  } finally {
    program.stop()
  }
}

export async function startProgram(
  scratch: string,
  file: string,
  ...args: string[]
): Promise<RunningProgram> {
  const child = spawn(process.execPath, [path.join(scratch, file), ...args])
  child.stderr.pipe(process.stderr)
  await once(child, 'spawn')
  return {
    pid: child.pid ?? 0,
    line: () => nextLine(child),
    write: (text) => void child.stdin.write(text),
    stop: () => void child.kill(),
  }
}

export async function startZino(scratch: string, baseUrl: string): Promise<RunningZino> {
  const program = readFileSync(path.join(scratch, 'zino'), 'utf8')
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-bz-'))
  const init = ['init', folder, '--sockets', `${folder}/r`, '--base-url', baseUrl, '--model', 'm']
  execFileSync(process.execPath, [program, ...init])
  const args = [program, 'up', '--config', path.join(folder, 'ZINO.toml')]
  const began = performance.now()
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  await nextLine(child)
  const wallMs = performance.now() - began
  const pid = child.pid ?? 0
  const services = () => childrenOf(pid)
  const pidOf = (name: string) =>
    services().find((each) => commandOf(each)[2] === name) ?? Number.NaN
  return {
    pid,
    services,
    pidOf,
    daemon: `${folder}/r/daemon.sock`,
    wallMs,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** User and system time of all threads, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

export function rssMibOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
  return text.trim().split(' ').map(Number)
}

function commandOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
}

async function nextLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no stdout pipe')
  const [piece] = (await once(child.stdout, 'data')) as [Buffer]
  return piece.toString().trim()
}
