// One program with one hostile peer: starts both, measures the memory of the program, sends a signal and
// measures the time until the program and the processes it started have ended.
import { spawn, type ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../../contract/zdx/processes.ts'
import { onLoopback } from '../../support/loopback.ts'
import { builtProgram, childProgram } from '../../support/paths.ts'
import type { ProgramName } from '../../support/run-program.ts'
import type { Behaviour } from './behaviours.ts'
import type { ProtocolName } from './protocols.ts'

type Environment = Record<string, string | undefined>

export interface Boundary {
  /** The program and the pipe, socket or child, as in `zdx: provider, anthropic`. */
  name: string
  protocol: ProtocolName
  boundMiB: number
  /** Behaviours that this boundary can meet; all without it. */
  only?: readonly Behaviour[]
  /** Starts the program and its peer, and returns the process that gets the signal. */
  start(stage: Stage): Promise<number>
}

export interface Measured {
  /** Time from the signal to the end; 0 when the program had ended before. */
  endedMs: number
  hasEndedBefore: boolean
  peakMiB: number
}

interface PeerEvent {
  engaged?: true
  port?: number
  pid?: number
}

/** A wait for an event of a process. Machines under load need seconds for a start. */
const patienceMs = 30_000

export class Stage {
  readonly folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-peer-')))
  readonly #log = path.join(this.folder, 'peer.jsonl')
  readonly #behaviour: Behaviour
  readonly #protocol: ProtocolName
  readonly #children: ChildProcess[] = []
  readonly #closing: (() => unknown)[] = []
  #output = ''

  constructor(behaviour: Behaviour, protocol: ProtocolName) {
    this.#behaviour = behaviour
    this.#protocol = protocol
    for (const name of ['home', 'project']) mkdirSync(this.at(name))
    writeFileSync(this.#log, '')
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names)
  }

  put(name: string, content: string | object): string {
    const file = this.at(name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** The command of a peer whose standard input and output are the wire. */
  peerCommand(mode = 'stdio'): string[] {
    const peer = childProgram('proof', 'peer')
    return [process.execPath, peer, mode, this.#behaviour, this.#protocol, this.#log]
  }

  /** Starts a peer that listens, and returns its port. */
  async listen(): Promise<number> {
    this.#spawn(this.peerCommand('listen'), {})
    return this.#event(({ port }) => port)
  }

  /** Starts a peer that connects to a port or a socket. */
  connect(address: string | number, token = ''): void {
    this.#spawn([...this.peerCommand('connect'), String(address), token], {})
  }

  /** Starts the program with the peer at its standard input and output. */
  async host(program: ProgramName, args: string[], env: Environment = {}): Promise<number> {
    this.#spawn([...this.peerCommand('host'), builtProgram(program), ...args], env)
    return this.#event(({ pid }) => pid)
  }

  /** Starts the program; nothing is at its standard input. */
  run(program: ProgramName, args: string[], env: Environment = {}): number {
    return this.#spawn([builtProgram(program), ...args], env).pid ?? 0
  }

  /** Starts an HTTP server that behaves well, and returns its URL. */
  async honestServer(): Promise<string> {
    const { url, close } = await onLoopback((_request, _body, response) => response.end('{}'))
    this.closeWith(close)
    return url
  }

  /** Sends one HTTP request and reads the answer, whatever it is. */
  request(url: URL, body?: string): void {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const call = http.request(url, { method, headers, agent: false }, (answer) => answer.resume())
    call.on('error', () => {})
    call.end(body)
    this.closeWith(() => call.destroy())
  }

  /** Registers a cleanup for `remove`. */
  closeWith(close: () => unknown): void {
    this.#closing.push(close)
  }

  until(condition: () => boolean): Promise<void> {
    return until(condition, () => `waited in vain: ${this.#output}`)
  }

  /** Waits until the programs have printed this. */
  async printed(pattern: RegExp): Promise<string> {
    await until(
      () => pattern.test(this.#output),
      () => `${pattern}: ${this.#output}`,
    )
    return pattern.exec(this.#output)?.[1] ?? ''
  }

  /** Waits until the peer acts or the program has ended. */
  async engaged(pid: number): Promise<void> {
    const isEngaged = () => this.#events().some((event) => event.engaged === true)
    await until(
      () => isEngaged() || !isRunning(pid),
      () => `no peer: ${this.#output}`,
    )
  }

  async measure(pid: number, observeMs: number, signal: NodeJS.Signals): Promise<Measured> {
    let peakKiB = 0
    const look = () => {
      for (const each of treeOf(pid).filter(isOfProgram)) peakKiB = Math.max(peakKiB, peakOf(each))
    }
    const observedAt = performance.now() + observeMs
    while (isRunning(pid) && performance.now() < observedAt) {
      look()
      await sleep(50)
    }
    const started = treeOf(pid)
    const signalledAt = performance.now()
    const hasEndedBefore = !isRunning(pid)
    if (!hasEndedBefore) process.kill(pid, signal)
    await until(
      () => {
        look()
        return !isRunning(pid)
      },
      () => `${signal} does not end it: ${this.#output}`,
    )
    const endedMs = hasEndedBefore ? 0 : performance.now() - signalledAt
    await until(
      () => !started.some(isRunning),
      () => `a child outlives the program: ${started.filter(isRunning).map(commandOf).join('; ')}`,
    )
    return { endedMs, hasEndedBefore, peakMiB: peakKiB / 1024 }
  }

  async remove(): Promise<void> {
    for (const close of this.#closing) await close()
    const pids = [
      ...this.#children.map(({ pid }) => pid ?? 0),
      ...this.#events().map(({ pid }) => pid ?? 0),
    ]
    for (const pid of pids.flatMap((each) => [each, ...treeOf(each)])) {
      if (pid > 0 && isRunning(pid)) process.kill(pid, 'SIGKILL')
    }
    await until(
      () => !pids.some((pid) => pid > 0 && isRunning(pid)),
      () => 'a process survives SIGKILL',
    )
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #spawn([command = '', ...args]: string[], env: Environment): ChildProcess {
    const child = spawn(command, args, {
      cwd: this.at('project'),
      env: { ...process.env, ...cleanEnvironment(this.at('home')), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.push(child)
    const keep = (piece: Buffer) => (this.#output = (this.#output + piece.toString()).slice(-4000))
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    return child
  }

  async #event<T>(pick: (event: PeerEvent) => T | undefined): Promise<T> {
    const found = () =>
      this.#events()
        .map(pick)
        .find((value) => value !== undefined)
    await until(
      () => found() !== undefined,
      () => `the peer does not start: ${this.#output}`,
    )
    return found() as T
  }

  #events(): PeerEvent[] {
    const lines = readFileSync(this.#log, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as PeerEvent)
  }
}

/** Variables of the developer that change what the programs do. */
function cleanEnvironment(home: string): Environment {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:ZCL_|ZDX_|ZINO_|ZENO_|XDG_|NODE_OPTIONS|NODE_EXTRA|CI$)|_API_KEY$|_BASE_URL$/.test(name),
  )
  const unset = Object.fromEntries(names.map((name) => [name, undefined]))
  return {
    ...unset,
    HOME: home,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(home, 'no-bus')}`,
  }
}

/** The process and its descendants. */
function treeOf(pid: number): number[] {
  if (pid <= 0) return []
  const found = [pid]
  for (const each of found) found.push(...childrenOf(each))
  return found
}

function isOfProgram(pid: number): boolean {
  return !/^\S+ \S+\/proof\/peer\.cjs /.test(commandOf(pid))
}

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return []
  const words = namesIn(tasks).flatMap((task) =>
    readOrEmpty(`${tasks}/${task}/children`).split(' '),
  )
  return words.filter((word) => word !== '').map(Number)
}

function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readOrEmpty(`/proc/${pid}/status`))?.[1] ?? 0)
}

function commandOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function until(condition: () => boolean, describe: () => string): Promise<void> {
  const end = performance.now() + patienceMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(describe())
    await sleep(10)
  }
}
