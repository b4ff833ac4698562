// A folder with a complete zino for tests of the built program; kills everything it started.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtProgram } from '../../support/paths.ts'
import type { Ran, RunOptions } from '../../support/run-program.ts'
import { runCommand, runCommandHere } from '../run-here.ts'
import type { Packet } from './wire.ts'
import { ask, exchange } from './wire.ts'

export const services = ['daemon', 'rtr', 'agr', 'sys', 'exc', 'mem', 'ctx'] as const
export type ServiceName = (typeof services)[number]

type Over = Record<string, Record<string, unknown>>
type Environment = Record<string, string | undefined>

interface CallOptions {
  input?: string
  env?: Environment
  cwd?: string
}

export interface SandboxOptions {
  /** Base URL of the model server. */
  base?: string
  /** Keys of ZINO.toml by section; undefined omits a key. */
  over?: Over
  env?: Environment
}

const template = [
  'PERSONALITY[%%PERSONALITY%%]',
  '%%TOOL_LIST%%',
  '%%SKILL_LINES%%',
  'MAX=%%MAX_ITERATIONS%%',
  'SOFT{%%SOFT_MEMORIES%%}',
].join('\n')

export const shellSkill = {
  meta: { executor: 'bash', file_extension: '.sh', static_analysis: 'shellcheck' },
  interpreter: [{ role: 'system', content: 'INTERPRETER' }],
  fabricator: [
    { role: 'system', content: 'FABRICATOR' },
    { role: 'user', content: 'say x [KCR] print x' },
    { role: 'assistant', content: 'echo x' },
  ],
}

let sandboxCount = 0

export class Sandbox {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'zee-zino-'))
  readonly config: string
  readonly env: Environment
  readonly #mark = `${process.pid}-${(sandboxCount += 1)}`
  readonly #started: Running[] = []

  constructor({ base = 'http://127.0.0.1:9/v1', over = {}, env = {} }: SandboxOptions = {}) {
    for (const name of ['tmp', 'home']) mkdirSync(this.at(name))
    this.put('SYSTEM.md', template)
    this.put('tools/bash.json', { meta: { executor: 'bash', file_extension: '.sh' } })
    this.put('skills/shell.json', shellSkill)
    const sections: Over = {
      api: { base_url: base, key: 'sk-contract-0123456789' },
      service: { model: 'fake' },
      agent: { temperature: 0.25, top_p: 0.5, max_iterations: 4 },
      ...Object.fromEntries(services.map((name) => [name, { socket: this.socket(name) }])),
    }
    for (const [name, keys] of Object.entries(over)) sections[name] = { ...sections[name], ...keys }
    this.config = this.put('ZINO.toml', tomlOf(sections))
    this.env = {
      HOME: this.at('home'),
      TMPDIR: this.at('tmp'),
      XDG_CONFIG_HOME: undefined,
      XDG_RUNTIME_DIR: undefined,
      NODE_EXTRA_CA_CERTS: undefined,
      LLM_API_KEY: undefined,
      ZINO_CONFIG: undefined,
      ZINO_LOG_LEVEL: undefined,
      ZINO_CONTRACT_MARK: this.#mark,
      ...env,
    }
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names)
  }

  socket(name: string): string {
    return this.at('r', `${name}.sock`)
  }

  /** Writes a file; objects become JSON. */
  put(name: string, content: string | object): string {
    const file = this.at(name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** Runs a command to its end. */
  zino(args: string[], options: CallOptions = {}): Promise<Ran> {
    return runCommand('zino', args, this.#callOptions(options))
  }

  /** Runs a command in the process of the test: it prints help, or fails before it serves. */
  zinoHere(args: string[], options: CallOptions = {}): Promise<Ran> {
    return runCommandHere('zino', args, this.#callOptions(options))
  }

  #callOptions({ input, env, cwd = this.folder }: CallOptions): RunOptions {
    return { cwd, env: { ...this.env, ...env }, input }
  }

  start(args: string[], options: { env?: Environment; cwd?: string } = {}): Running {
    const env = { ...process.env, ...this.env, ...options.env }
    const running = new Running(
      spawn(builtProgram('zino'), args, { cwd: options.cwd ?? this.folder, env, stdio: 'pipe' }),
    )
    this.#started.push(running)
    return running
  }

  /** Starts services one by one and waits until they answer. */
  async serve(...names: ServiceName[]): Promise<Running[]> {
    const running = names.map((name) => this.start([name, '--config', this.config]))
    for (const [index, name] of names.entries()) {
      await orEnd(running[index] as Running, () => this.answers(name))
    }
    return running
  }

  /** Starts all services and waits until zino reports that it is up. */
  async up(env: Environment = {}): Promise<Running> {
    const running = this.start(['up', '--config', this.config], { env })
    await orEnd(running, () => running.stdout.includes('zino is up'))
    return running
  }

  ask(name: string, request: object): Promise<Packet> {
    return ask(this.socket(name), request)
  }

  exchange(name: string, request: object): Promise<Packet[]> {
    return exchange(this.socket(name), request)
  }

  async answers(name: string): Promise<boolean> {
    try {
      return (await this.ask(name, { type: 'ping' })).type === 'pong'
    } catch {
      return false
    }
  }

  /** Every process that this sandbox started, directly or not. */
  processes(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const own = read(`/proc/${pid}/environ`).includes(`ZINO_CONTRACT_MARK=${this.#mark}\0`)
        return own && !/\) Z/.test(read(`/proc/${pid}/stat`))
      })
      .map(Number)
  }

  pidOf(name: ServiceName): number | undefined {
    return this.processes().find((pid) =>
      read(`/proc/${pid}/cmdline`).split('\0').slice(2, 3).includes(name),
    )
  }

  async remove(): Promise<void> {
    for (const { child } of this.#started) child.kill('SIGTERM')
    const ended = Promise.all(this.#started.map((running) => running.ended))
    await Promise.race([ended, pause(4500)])
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has exited meanwhile.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  stdout = ''
  stderr = ''
  isOver = false

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    child.stdin?.on('error', () => {})
    this.ended = once(child, 'exit').then(async ([code, signal]) => {
      // Background processes may hold the pipes; 500 ms are enough for the pending output.
      await Promise.race([once(child, 'close'), pause(500)])
      this.isOver = true
      const { stdout, stderr } = this
      return { code: code as number | null, signal: signal as NodeJS.Signals, stdout, stderr }
    })
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ran> {
    this.child.kill(signal)
    return this.ended
  }
}

/** Polls a condition until it holds, with a deadline. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = 30_000,
): Promise<void> {
  const end = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition.toString()}`)
    await pause(10)
  }
}

async function orEnd(running: Running, condition: () => boolean | Promise<boolean>) {
  await until(async () => {
    if (running.isOver) throw new Error(`it ended: ${running.stderr}`)
    return condition()
  }, 30_000)
}

function tomlOf(sections: Over): string {
  const blocks = Object.entries(sections).map(([name, keys]) => {
    const entries = Object.entries(keys).filter(([, value]) => value !== undefined)
    const lines = entries.map(([key, value]) => `${key} = ${JSON.stringify(value)}  # note\n`)
    return `[${name}]\n${lines.join('')}`
  })
  return blocks.join('\n')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
