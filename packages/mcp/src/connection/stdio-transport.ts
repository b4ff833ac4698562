// MCP over stdin and stdout of a child process, one JSON message per line. The process group of the
// server is killed when this process exits.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { LineSplitter } from '@zee/core/line-splitter'
import type { ProcessEnd, RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'
import type { ServerCommand } from '../section/section.ts'

/** Maximum size of a message. Parsing takes about six times as much memory. */
export const maxMessageBytes = 16 * 1024 * 1024
/** Deeper values would exhaust the stack of recursive readers. */
const maxNesting = 1000
/** Unsent messages above which the client stops reading: the server sends requests and ignores the answers. */
const maxUnsent = 1000
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
    line: (bytes, start, end) => this.#receive(bytes.subarray(start, end)),
    tooLong: () => this.#rejectMessage(tooLong),
  })
  /** Messages that the pipe has not accepted yet. */
  #unsent = 0
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
      isMarked: true,
      stdin: 'pipe',
      killGraceMs,
    })
    if (child === undefined) throw new Error(failure.error ?? failure.outcome)
    this.#child = child
    killAtExit(child)
    child.stdout?.on('data', (chunk: Buffer) => this.#readChunk(chunk))
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
    this.#unsent++
    stdin.write(serializeMessage(message), () => {
      this.#unsent--
      if (this.#unsent === maxUnsent) this.#resume()
    })
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

  /**
   * Handles one chunk, then lets the event loop run: Node reads up to 2 MiB of a flooding server in one
   * iteration, and signals and deadlines would wait for all its messages.
   */
  #readChunk(chunk: Buffer): void {
    this.#child?.stdout?.pause()
    if (this.#closing || !this.#lines.push(chunk)) return
    if (this.#lines.pendingBytes > maxMessageBytes) this.#rejectMessage(tooLong)
    setImmediate(() => this.#resume())
  }

  #resume(): void {
    if (!this.#closing && this.#unsent <= maxUnsent) this.#child?.stdout?.resume()
  }

  #receive(line: Buffer): boolean {
    if (isNestedDeeper(line, maxNesting)) {
      return this.#rejectMessage(`a message with more than ${maxNesting} nested levels`)
    }
    try {
      this.onmessage?.(deserializeMessage(line.toString('utf8')))
    } catch (error) {
      // Skips lines that are not messages, for example log lines.
      this.onerror?.(error as Error)
    }
    return true
  }

  /** Closes the server, because the call that the message answers is unknown. */
  #rejectMessage(what: string): boolean {
    this.#lastOutput = `it sent ${what}`
    void this.close()
    return false
  }

  #recordStderr(chunk: Buffer): void {
    this.#lastOutput = (this.#lastOutput + chunk.subarray(-maxStderrLength).toString('utf8')).slice(
      -maxStderrLength,
    )
  }
}

const tooLong = `a message of more than ${maxMessageBytes} bytes`

const [quote, backslash] = [0x22, 0x5c]

/** Whether JSON text nests arrays and objects deeper than `max` levels. */
export function isNestedDeeper(json: Uint8Array, max: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (isInString) {
      if (byte === backslash) index++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > max) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
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
