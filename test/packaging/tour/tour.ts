// Runs the tour with a new home and a new temporary folder, and finds processes that it left
// running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { repository } from '../../support/paths.ts'

const launcher = path.join(repository, 'packages/zee/bin/zee.cjs')

export interface TourRun {
  code: number | null
  output: string
}

export interface TourOptions {
  args?: string[]
  env?: Record<string, string>
  /** Sends this signal as soon as the tour has printed the text. */
  endAt?: { text: string; signal: NodeJS.Signals }
}

export interface TerminalStep {
  /** The step waits until the tour has printed this text after the previous one. */
  text: string
  /** Runs before the keys are typed, with the whole output so far. */
  before?: (output: string) => Promise<void>
  /** What is typed; the name of a signal is sent instead. */
  keys: string
}

export class TourPlace {
  // Short, because the paths of sockets in it are limited to 107 bytes.
  readonly base = mkdtempSync(path.join(os.tmpdir(), 'zt-'))
  readonly home = path.join(this.base, 'h')
  readonly temp = path.join(this.base, 't')

  constructor() {
    mkdirSync(this.home)
    mkdirSync(this.temp)
  }

  run({ args = [], env = {}, endAt }: TourOptions = {}): Promise<TourRun> {
    const child = spawn(process.execPath, [launcher, 'tour', ...args], {
      cwd: repository,
      env: { ...process.env, HOME: this.home, TMPDIR: this.temp, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let ended = false
    const onData = (chunk: Buffer): void => {
      output += chunk.toString()
      if (endAt === undefined || ended || !output.includes(endAt.text)) return
      ended = true
      child.kill(endAt.signal)
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, output }))
    })
  }

  /** Runs the tour on a terminal, which `script` from util-linux provides. No browser opens. */
  async onTerminal(steps: readonly TerminalStep[]): Promise<TourRun> {
    const pidFile = path.join(this.base, 'pid')
    const line = `echo $$ > ${pidFile}; exec ${process.execPath} ${launcher} tour`
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: repository,
      env: { ...process.env, HOME: this.home, TMPDIR: this.temp, BROWSER: 'true', TERM: 'xterm' },
    })
    let output = ''
    let seen = 0
    const ended = once(child, 'close') as Promise<[number]>
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    for (const { text, before, keys } of steps) {
      while (!output.slice(seen).includes(text)) {
        if (child.exitCode !== null) return { code: child.exitCode, output }
        await once(child.stdout, 'data')
      }
      seen = output.length
      await before?.(output)
      if (keys.startsWith('SIG')) {
        process.kill(Number(readFileSync(pidFile, 'utf8')), keys as NodeJS.Signals)
      } else child.stdin.write(keys)
    }
    const [code] = await ended
    return { code, output }
  }

  /**
   * Processes whose command line or environment contains `base`. Waits up to 5 s for them to exit.
   */
  async leftRunning(): Promise<string[]> {
    let found: string[] = []
    for (let tries = 0; tries < 50; tries++) {
      found = this.#processes()
      if (found.length === 0) return []
      await pause(100)
    }
    return found
  }

  #processes(): string[] {
    return readdirSync('/proc').flatMap((pid) => {
      if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
      const read = (name: string): string => {
        try {
          return readFileSync(`/proc/${pid}/${name}`, 'latin1')
        } catch {
          return ''
        }
      }
      const line = read('cmdline')
      return `${line}\n${read('environ')}`.includes(this.base) ? [line.replaceAll('\0', ' ')] : []
    })
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}
