// Speaks MCP with a server that is a child process: one JSON message a line on its stdin and stdout.
// The process comes from core's one runner, so its whole group ends with us, whatever ends us.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { LineSplitter } from '@zee/core/line-splitter'
import { streamWriter } from '@zee/core/lossless'
import type { ChildEnvironment, ProcessEnd, RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'

export interface ServerCommand {
  command: string
  args: readonly string[]
  env: ChildEnvironment
  cwd: string
}

/** A longer message is not one that a tool should send. */
export const maxMessageBytes = 64 * 1024 * 1024
/** A server is asked to leave by the end of its input; TERM and KILL follow. */
const exitGraceMs = 300
const killGraceMs = 200
const maxStderrLength = 2048

export class ChildServerTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #command: ServerCommand
  readonly #lines = new LineSplitter(maxMessageBytes, {
    line: (bytes, start, end) => this.#receive(bytes.toString('utf8', start, end)),
    tooLong: (length) => this.#giveUp(length),
  })
  #child: RunningProcess | undefined
  #lastWords = ''
  #ended: ProcessEnd | undefined
  #closing = false

  constructor(command: ServerCommand) {
    this.#command = command
  }

  async start(): Promise<void> {
    const { process: child, failure } = await startProcess({
      ...this.#command,
      stdin: 'pipe',
      killGraceMs,
    })
    if (child === undefined) throw new Error(failure.error ?? failure.outcome)
    this.#child = child
    killAtExit(child)
    child.stdout?.on('data', (chunk: Buffer) => void this.#lines.push(chunk))
    child.stdout?.on('error', () => {})
    child.stderr?.on('data', (chunk: Buffer) => this.#listen(chunk))
    child.stderr?.on('error', () => {})
    void child.exited.then(async (end) => {
      this.#ended = end
      await this.close()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || this.#ended !== undefined) throw new Error(this.farewell())
    await streamWriter(stdin)(serializeMessage(message))
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    const child = this.#child
    if (child !== undefined) {
      child.stdin?.end()
      await Promise.race([child.exited, pause(exitGraceMs)])
      await child.stop()
      child.release()
      running.delete(child)
    }
    this.onclose?.()
  }

  hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** How the server ended and the last it said, for people. */
  farewell(): string {
    const { outcome, exitCode, signal } = this.#ended ?? {}
    const how =
      outcome === 'signalled' ? `was ended by ${signal}` : `ended with exit ${exitCode ?? '?'}`
    const words = oneLine(this.#lastWords.trim().split('\n').at(-1) ?? '')
    const state = this.#ended === undefined ? 'is gone' : how
    return words === '' ? state : `${state} (${cutToBytes(words, 300).text})`
  }

  #receive(line: string): boolean {
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      // What is no message (a greeting, a log line) is passed over.
      this.onerror?.(error as Error)
    }
    return true
  }

  /** Nobody can tell which call such a message would have answered. */
  #giveUp(length: number): boolean {
    this.#lastWords = `it sent a message of ${length} bytes, more than ${maxMessageBytes}`
    void this.close()
    return false
  }

  #listen(chunk: Buffer): void {
    this.#lastWords = (this.#lastWords + chunk.toString('utf8')).slice(-maxStderrLength)
  }
}

/** Servers that run now. A program that leaves in haste has time for no more than this. */
const running = new Set<RunningProcess>()
let isWatched = false

function killAtExit(child: RunningProcess): void {
  running.add(child)
  if (isWatched) return
  isWatched = true
  process.once('exit', () => {
    for (const each of running) each.kill('SIGKILL')
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
