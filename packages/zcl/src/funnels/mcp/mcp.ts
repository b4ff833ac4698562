// An MCP client for replay: starts a server from its recorded command and sends one request at a time.
import { startProcess, type ProcessEnd, type RunningProcess } from '@zee/core/process'
import { idKey, LineReader, type ReadLine, type RpcMessage } from './messages/messages.ts'

type Response = Extract<RpcMessage, { kind: 'response' }>

export interface Answer {
  response: Response
  bytes: number
  /** The line of the response. */
  text: string
}

const answerTimeoutMs = 60_000

export class McpSession {
  readonly #server: RunningProcess
  readonly #waiting = new Map<string, (answer: Answer | undefined) => void>()
  #hasEnded = false

  constructor(server: RunningProcess) {
    this.#server = server
    const take = ({ messages, bytes, raw }: ReadLine): void => {
      const text = raw?.toString('utf8', 0, bytes) ?? ''
      for (const message of messages) {
        if (message.kind !== 'response') continue
        this.#waiting.get(idKey(message.id))?.({ response: message, bytes, text })
      }
    }
    const reader = new LineReader(take, { keepsRaw: true })
    server.stdout?.on('data', (chunk: Buffer) => reader.push(chunk))
    void server.exited.then(() => {
      this.#hasEnded = true
      for (const resolve of this.#waiting.values()) resolve(undefined)
    })
  }

  /** The answer; undefined when the server ended or timed out. */
  async request(id: unknown, method: string, params: unknown): Promise<Answer | undefined> {
    if (this.#hasEnded) return undefined
    const key = idKey(id)
    const answered = new Promise<Answer | undefined>((resolve) => this.#waiting.set(key, resolve))
    const timer = setTimeout(() => this.#waiting.get(key)?.(undefined), answerTimeoutMs)
    this.#send({ id, method, params })
    const answer = await answered
    clearTimeout(timer)
    this.#waiting.delete(key)
    if (method === 'initialize' && answer !== undefined) {
      this.#send({ method: 'notifications/initialized' })
    }
    return answer
  }

  async close(): Promise<void> {
    this.#server.stdin?.end()
    await this.#server.stop()
    this.#server.release()
  }

  #send(message: object): void {
    this.#server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}

export async function openMcpSession(
  [command = '', ...args]: readonly string[],
  env: Record<string, string | undefined>,
): Promise<McpSession | ProcessEnd> {
  const started = await startProcess({ command, args, env, stdin: 'pipe', stderr: 'null' })
  return started.failure ?? new McpSession(started.process)
}
