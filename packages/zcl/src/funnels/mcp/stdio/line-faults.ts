// Injects faults into the answers of an MCP server: its lines pass through here when `--inject` is given.
// Only answers to `tools/call` change, and the frame of JSON-RPC stays valid.
import { Transform, type Readable, type TransformCallback } from 'node:stream'
import { parseObject, isObject } from '@zee/core/json'
import { answerFaultOf, delayOf, faultsAt, faultyAnswer } from '../../../faults/faults.ts'
import type { AnswerFault, Fault, InjectSettings } from '../../../faults/faults.ts'
import { idKey, type ReadLine } from '../messages/messages.ts'

const injectedError = { code: -32_000, message: 'injected by zcl' }
/** A longer line passes unchanged. */
const maxLineBytes = 16 * 1024 * 1024

export class LineFaults {
  readonly #settings: InjectSettings
  readonly #attemptId: string
  /** Open `tools/call` requests by id: the name of the tool. */
  readonly #open = new Map<string, string>()
  /** The faults of an answer that is not recorded yet. */
  readonly #injected = new Map<string, readonly Fault[]>()
  /** The last result of each tool. */
  readonly #earlier = new Map<string, unknown>()
  #calls = 0

  constructor(settings: InjectSettings, attemptId: string) {
    this.#settings = settings
    this.#attemptId = attemptId
  }

  /** Remembers the tool calls of a client's line. */
  fromClient({ messages }: ReadLine): void {
    for (const message of messages) {
      if (message.kind !== 'request' || message.method !== 'tools/call') continue
      const params = parseObject(message.text ?? '')?.params
      this.#open.set(idKey(message.id), isObject(params) ? String(params.name) : '')
    }
  }

  /** The faults of the answer to this request, once. */
  take(id: unknown): readonly Fault[] {
    const faults = this.#injected.get(idKey(id)) ?? []
    this.#injected.delete(idKey(id))
    return faults
  }

  /** The server's output with faults. */
  through(source: Readable): Readable {
    let rest: Buffer = Buffer.alloc(0)
    const pass = async (stream: Transform, chunk: Buffer): Promise<void> => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        stream.push(await this.#line(rest.subarray(0, end + 1)))
        rest = rest.subarray(end + 1)
      }
      if (rest.length <= maxLineBytes) return
      stream.push(rest)
      rest = Buffer.alloc(0)
    }
    const lines = new Transform({
      transform(chunk: Buffer, _encoding, done: TransformCallback) {
        pass(this, chunk).then(() => done(), done)
      },
      flush(done) {
        if (rest.length > 0) this.push(rest)
        done()
      },
    })
    source.on('error', () => lines.end())
    return source.pipe(lines)
  }

  async #line(line: Buffer): Promise<Buffer> {
    const message = line.length > maxLineBytes ? undefined : parseObject(line.toString('utf8'))
    const key = message === undefined ? '' : idKey(message.id)
    const tool = this.#open.get(key)
    if (message === undefined || tool === undefined || message.method !== undefined) return line
    this.#open.delete(key)
    const faults = faultsAt(this.#settings, this.#attemptId, this.#calls++)
    const delayMs = delayOf(faults)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const answer = this.#answer(message, tool, faults)
    const done = answer === message ? faults.filter(({ kind }) => kind === 'delay') : faults
    if (done.length > 0) this.#injected.set(key, done)
    return answer === message ? line : Buffer.from(`${JSON.stringify(answer)}\n`)
  }

  #answer(
    message: Record<string, unknown>,
    tool: string,
    faults: readonly Fault[],
  ): Record<string, unknown> {
    const { jsonrpc, id, result } = message
    const earlier = this.#earlier.get(tool)
    if (result !== undefined) this.#earlier.set(tool, result)
    if (faults.some(({ kind }) => kind === 'error')) return { jsonrpc, id, error: injectedError }
    const fault = answerFaultOf(faults)
    if (fault === undefined || !isObject(result)) return message
    if (fault === 'stale') return earlier === undefined ? message : { jsonrpc, id, result: earlier }
    return { jsonrpc, id, result: faultyResult(result, fault) }
  }
}

/** The result with faulty texts; structured content would show what they hide. */
function faultyResult(result: Record<string, unknown>, fault: AnswerFault): object {
  const { structuredContent: _, content, ...rest } = result
  const parts = Array.isArray(content) ? (content as unknown[]) : []
  const faulty = parts.map((part) => {
    if (!isObject(part) || typeof part.text !== 'string') return part
    return { ...part, text: faultyAnswer(fault, part.text, undefined) }
  })
  return { ...rest, content: faulty }
}
