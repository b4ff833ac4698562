// A folder with evidence, sessions or memories that every swept command finds in the same state, and the
// start of a built program in it with the file hook.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, runCommandHere } from '../../contract/run-here.ts'
import { installHook } from '../files/hook.ts'
import type { HookOrder } from '../files/operations.ts'
import { builtProgram, childProgram } from '../../support/paths.ts'
import type { ProgramName, Ran } from '../../support/run-program.ts'
import { runProgram } from '../../support/run-program.ts'

type Environment = Record<string, string | undefined>

const copyOptions = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const
/** A command that takes longer than this counts as hanging. */
const deadlineMs = 60_000

export interface Outcome extends Ran {
  isTimedOut: boolean
}

/** Sends a request to a service; resolves to its error, or to undefined if it acknowledged the request. */
export type UseService = (scene: Scene, signal?: AbortSignal) => Promise<string | undefined>

const hanging: Outcome = { code: null, signal: null, stdout: '', stderr: '', isTimedOut: true }

export class Scene {
  readonly #base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-proof-')))
  /** Home, project and state of the programs; operations below it count. */
  readonly root = path.join(this.#base, 'scene')
  readonly project = path.join(this.root, 'project')
  readonly #kept = path.join(this.#base, 'kept')
  /** Outside the root: the log of the hook does not count as an operation. */
  readonly log = path.join(this.#base, 'hook.jsonl')
  env: Environment

  constructor() {
    for (const name of ['home', 'project', 'tmp']) {
      mkdirSync(path.join(this.root, name), { recursive: true })
    }
    this.env = {
      HOME: path.join(this.root, 'home'),
      TMPDIR: path.join(this.root, 'tmp'),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(this.#base, 'no-bus')}`,
    }
  }

  at(...names: string[]): string {
    return path.join(this.root, ...names)
  }

  /** Runs a command without faults; it must succeed. */
  async do(program: ProgramName, args: string[], input?: string): Promise<string> {
    const ran = await this.try(program, args, input)
    if (ran.code === 0) return ran.stdout
    throw new Error(`${program} ${args.join(' ')} exited with ${ran.code}: ${ran.stderr}`)
  }

  /** Runs a command without faults. */
  try(program: ProgramName, args: string[], input?: string): Promise<Ran> {
    const options = { cwd: this.project, env: { ...hidden(), ...this.env } }
    const given = input === undefined ? options : { ...options, input }
    const words = this.#words(args)
    return program === 'zee' ? runProgram(program, words, given) : runCommand(program, words, given)
  }

  /** Keeps the present state; `restore` brings it back. */
  keep(): void {
    rmSync(this.#kept, { recursive: true, force: true })
    cpSync(this.root, this.#kept, copyOptions)
  }

  restore(): void {
    rmSync(this.root, { recursive: true, force: true })
    cpSync(this.#kept, this.root, copyOptions)
  }

  /** Runs the built program with the file hook. `use` may talk to it while it runs. */
  async hooked(
    program: ProgramName,
    args: readonly string[],
    order: Pick<HookOrder, 'fault' | 'withChanges'> = {},
    input = '',
    use?: UseService,
  ): Promise<Outcome> {
    rmSync(this.log, { force: true })
    const hook: HookOrder = { root: this.root, log: this.log, ...order }
    const child = this.start(program, args, {
      ZEE_FILE_HOOK: JSON.stringify(hook),
      NODE_OPTIONS: `--require ${childProgram('proof', 'file-hook')}`,
    })
    const ended = outcomeOf(child, input)
    return use === undefined ? ended : used(child, ended, (signal) => use(this, signal))
  }

  /** Starts the built program. */
  start(program: ProgramName, args: readonly string[], env: Environment = {}): ChildProcess {
    return spawn(builtProgram(program), this.#words(args), {
      cwd: this.project,
      env: { ...process.env, ...hidden(), ...this.env, ...env },
      stdio: 'pipe',
    })
  }

  /** As `hooked`, in this process: a start of a program costs ten times as much. */
  async hookedHere(
    program: Exclude<ProgramName, 'zee'>,
    args: readonly string[],
    order: Pick<HookOrder, 'fault'>,
    input = '',
  ): Promise<Outcome> {
    rmSync(this.log, { force: true })
    const remove = installHook({ root: this.root, log: this.log, ...order })
    try {
      const env = { ...hidden(), ...this.env }
      const run = runCommandHere(program, this.#words(args), { cwd: this.project, env, input })
      const isTimedOut = sleep(deadlineMs, undefined, { ref: false }).then(() => undefined)
      const ran = await Promise.race([run, isTimedOut])
      return ran === undefined ? hanging : { ...ran, isTimedOut: false }
    } finally {
      remove()
      this.#removeLocks()
    }
  }

  /** `{root}` in an argument stands for the folder of the scene, `{NAME}` for a variable. */
  #words(args: readonly string[]): string[] {
    return args.map((word) =>
      word
        .replaceAll('{root}', this.root)
        .replaceAll(/\{([A-Z_]+)\}/g, (_, name: string) => this.env[name] ?? ''),
    )
  }

  /** A process that ends gives up its locks: the next one sees that their holder is dead. */
  #removeLocks(): void {
    const names = readdirSync(this.root, { recursive: true, encoding: 'utf8' })
    for (const name of names) if (name.endsWith('.lock')) rmSync(path.join(this.root, name))
  }

  /** Lines of the hook's log. */
  logged<Line>(): Line[] {
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true })
  }
}

/** A service: its acknowledgement counts as exit code 0, its error as 1. It must end at SIGTERM. */
async function used(
  child: ChildProcess,
  ended: Promise<Outcome>,
  use: (signal: AbortSignal) => Promise<string | undefined>,
): Promise<Outcome> {
  const stop = new AbortController()
  const answer = use(stop.signal).catch((error: unknown) => String(error))
  const first = await Promise.race([ended, answer])
  stop.abort()
  if (typeof first === 'object') return first
  child.kill('SIGTERM')
  const outcome = await ended
  if (outcome.isTimedOut || outcome.signal === 'SIGKILL') return outcome
  return first === undefined ? { ...outcome, code: 0 } : { ...outcome, code: 1, stderr: first }
}

function outcomeOf(child: ReturnType<typeof spawn>, input: string): Promise<Outcome> {
  let [stdout, stderr, isTimedOut] = ['', '', false]
  child.stdout?.on('data', (piece: Buffer) => (stdout += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()))
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const timer = setTimeout(() => {
    isTimedOut = true
    child.kill('SIGKILL')
  }, deadlineMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stdout, stderr, isTimedOut })
    })
  })
}

/** Variables of the developer that change what the programs do. */
function hidden(): Environment {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:ZCL_|ZEE_FILE|ZDX_|ZINO_|ZENO_|CODEX_|CLAUDE_|XDG_|NODE_OPTIONS|NODE_EXTRA|CI$)|_API_KEY$|_BASE_URL$/.test(
      name,
    ),
  )
  return Object.fromEntries(names.map((name) => [name, undefined]))
}
