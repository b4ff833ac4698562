// The real server of a served trace, over Streamable HTTP. It gets the client's `initialize` with the
// first live request, and only once: many servers refuse a second one.
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { idKey, readDocument, SseReader } from '../messages/messages.ts'
import { answerWithId, type LiveTools } from './responder.ts'

const timeoutMs = 60_000

export class LiveHttp implements LiveTools {
  readonly #url: URL
  #initialize: unknown
  #session: Promise<string | undefined> | undefined
  #greeting: string | undefined

  constructor(url: string) {
    this.#url = new URL(url)
  }

  remember(params: unknown): void {
    this.#initialize = params
  }

  async request(id: unknown, method: string, params: unknown): Promise<string | undefined> {
    this.#session ??= this.#open()
    const session = await this.#session
    if (method === 'initialize') return answerWithId(this.#greeting, id)
    const answer = await this.#post({ id, method, params }, session)
    return answer === undefined ? undefined : textOf(answer, id)
  }

  async close(): Promise<void> {}

  async #open(): Promise<string | undefined> {
    const params = this.#initialize
    const answer = await this.#post({ id: 'zcl-initialize', method: 'initialize', params })
    if (answer === undefined) return undefined
    this.#greeting = await textOf(answer, 'zcl-initialize')
    const session = String(answer.headers['mcp-session-id'] ?? '')
    const done = await this.#post({ method: 'notifications/initialized' }, session)
    done?.resume()
    return session
  }

  #post(message: object, session = ''): Promise<IncomingMessage | undefined> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session === '' ? {} : { 'Mcp-Session-Id': session }),
    }
    const send = this.#url.protocol === 'https:' ? secureRequest : plainRequest
    return new Promise((resolve) => {
      const outgoing = send(this.#url, { method: 'POST', headers, timeout: timeoutMs }, resolve)
      outgoing.on('timeout', () => outgoing.destroy())
      outgoing.on('error', () => resolve(undefined))
      outgoing.end(body)
    })
  }
}

/** The message that answers `id`, as JSON text. */
function textOf(answer: IncomingMessage, id: unknown): Promise<string | undefined> {
  return new Promise((resolve) => {
    const take = (document: Buffer): void => {
      const { messages = [] } = readDocument(document) ?? {}
      const isAnswer = messages.some(
        (each) => each.kind === 'response' && idKey(each.id) === idKey(id),
      )
      if (isAnswer)
        resolve(
          document
            .toString('utf8')
            .replace(/\s*\n\s*/g, ' ')
            .trim(),
        )
    }
    const pieces: Buffer[] = []
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
    const events = new SseReader(take)
    answer.on('data', (chunk: Buffer) => void (isStream ? events.push(chunk) : pieces.push(chunk)))
    answer.on('error', () => resolve(undefined))
    answer.on('close', () => {
      take(Buffer.concat(pieces))
      resolve(undefined)
    })
  })
}
