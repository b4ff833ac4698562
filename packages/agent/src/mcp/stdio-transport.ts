// MCP over stdin and stdout of a child process, one JSON message per line. The process group of the
// server is killed when this process exits.
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

/** Maximum size of a message; bounds memory. */
export const maxMessageBytes = 64 * 1024 * 1024
/** Time to exit after the end of its input, before SIGTERM and SIGKILL. */
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
    tooLong: (length) => this.#rejectMessage(length),
  })
  #child: RunningProcess | undefined
  #lastOutput = ''
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
    child.stderr?.on('data', (chunk: Buffer) => this.#recordStderr(chunk))
    child.stderr?.on('error', () => {})
    void child.exited.then(async (end) => {
      this.#ended = end
      await this.close()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || this.#ended !== undefined) throw new Error(this.describeEnd())
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

  /** How the server ended and its last line on stderr, for messages. */
  describeEnd(): string {
    const { outcome, exitCode, signal } = this.#ended ?? {}
    const how =
      outcome === 'signalled' ? `was killed by ${signal}` : `exited with code ${exitCode ?? '?'}`
    const lastLine = oneLine(this.#lastOutput.trim().split('\n').at(-1) ?? '')
    const state = this.#ended === undefined ? 'is not running' : how
    return lastLine === '' ? state : `${state} (${cutToBytes(lastLine, 300).text})`
  }

  #receive(line: string): boolean {
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      // Skips lines that are not messages, for example log lines.
      this.onerror?.(error as Error)
    }
    return true
  }

  /** Closes the server, because the call that the message answers is unknown. */
  #rejectMessage(length: number): boolean {
    this.#lastOutput = `it sent a message of ${length} bytes, more than ${maxMessageBytes}`
    void this.close()
    return false
  }

  #recordStderr(chunk: Buffer): void {
    this.#lastOutput = (this.#lastOutput + chunk.toString('utf8')).slice(-maxStderrLength)
  }
}

/** Running servers. An exit handler cannot wait, so it kills them without a grace period. */
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
