// Runs zino as processes in a separate folder and kills everything it started.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { childProgram } from '../../../test/support/paths.ts'
import { askService } from '../src/client/client.ts'
import type { ServiceName } from '../src/services/services.ts'
import { serviceNames } from '../src/services/services.ts'
import { bashSkill, bashTool, put } from './config.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

type Over = Record<string, Record<string, unknown>>

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

export class Program {
  readonly folder = tempFolder()
  readonly config: string
  readonly env: Record<string, string>
  readonly #mark = `${process.pid}-${Math.random()}`

  constructor(over: Over = {}, env: Record<string, string> = {}) {
    const { folder } = this
    const sections: Over = Object.fromEntries(
      serviceNames.map((name) => [name, { socket: this.socket(name) }]),
    )
    sections.service = { model: 'fake' }
    for (const [name, keys] of Object.entries(over)) sections[name] = { ...sections[name], ...keys }
    this.config = put(folder, 'ZINO.toml', asToml(sections))
    put(folder, 'SYSTEM.md', 'SYS %%SOFT_MEMORIES%%')
    put(folder, 'tools/bash.json', bashTool)
    put(folder, 'skills/bash.json', bashSkill)
    const { PATH = '' } = process.env
    this.env = { PATH, HOME: folder, ZINO_TEST_MARK: this.#mark, ...env }
    onTestFinished(async () => {
      for (const pid of this.processes()) kill(pid)
      await until(() => this.processes().length === 0)
    })
  }

  socket(name: string): string {
    return path.join(this.folder, 'r', `${name}.sock`)
  }

  start(args: readonly string[], options: { env?: Record<string, string>; cwd?: string } = {}) {
    const child = spawn(process.execPath, [childProgram('zino', 'zino'), ...args], {
      cwd: options.cwd ?? this.folder,
      env: { ...this.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    return new Running(child)
  }

  async run(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> {
    const running = this.start(args, { env })
    running.child.stdin?.end(input)
    return running.ended
  }

  async up(...more: string[]): Promise<Running> {
    const running = this.start(['up', '--config', this.config, ...more])
    await Promise.race([
      until(() => running.out.includes('zino is up'), 30_000),
      running.ended.then(({ err }) => Promise.reject(new Error(err))),
    ])
    return running
  }

  async serve(name: ServiceName): Promise<Running> {
    const running = this.start([name, '--config', this.config])
    await until(() => this.answers(name), 20_000)
    return running
  }

  async answers(name: string): Promise<boolean> {
    try {
      return (await askService(this.socket(name), { type: 'ping' })).type === 'pong'
    } catch {
      return false
    }
  }

  /** Processes with this test's mark in their environment, except zombies. */
  processes(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.#mark)
          return marked && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
        } catch {
          return false
        }
      })
      .map(Number)
  }

  pidOf(name: string): number | undefined {
    return this.processes().find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[2] === name
      } catch {
        return false
      }
    })
  }
}

export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  out = ''
  err = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text))
    child.stdin?.on('error', () => {})
    this.ended = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      out: this.out,
      err: this.err,
    }))
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal)
    return this.ended
  }
}

/** Strings, numbers, booleans and lists have the same form in JSON and TOML. */
function asToml(sections: Over): string {
  return Object.entries(sections)
    .map(([name, keys]) => {
      const lines = Object.entries(keys).map(
        ([key, value]) => `${key} = ${JSON.stringify(value)}\n`,
      )
      return `[${name}]\n${lines.join('')}`
    })
    .join('\n')
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process is gone already.
  }
}
