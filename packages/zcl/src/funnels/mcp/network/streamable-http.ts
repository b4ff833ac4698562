// MCP over Streamable HTTP: a request carries messages of the client, its answer those of the server, as
// JSON or as a stream of events. What a session leaves open may still be answered in another request: a
// broken stream can be taken up again.
import { headerValues, type ExchangeGate, type RequestHead } from '../../http/http.ts'
import type { Conversation } from '../conversation.ts'
import { LineReader, readDocument, type ReadLine } from '../messages/messages.ts'
import type { Listening, Watched } from './listening.ts'
import type { NetworkGate } from './gate.ts'
import { SseReader } from './sse-reader.ts'

export class StreamableHttp {
  readonly #listening: Listening
  /** By the id that the server gave a session. */
  readonly #sessions = new Map<string, Conversation>()

  constructor(listening: Listening) {
    this.#listening = listening
  }

  watch({ method, headers }: RequestHead): Watched {
    const { gate, noise, conversation: begin } = this.#listening
    const [id] = headerValues(headers, 'mcp-session-id')
    const conversation = id === undefined ? begin() : this.#session(id)
    let hasAsked = false
    let isTheLast = false
    const leave = gate?.join(() => (hasAsked ? Math.min(1, conversation.openRequests) : 0))
    const asked = new LineReader(
      (line) => {
        hasAsked = line.messages.some(({ kind }) => kind === 'request')
        conversation.fromClient(line)
      },
      { isDocument: true },
    )
    let answer: LineReader | SseReader | undefined
    return {
      observer: {
        request: (content) => {
          noise()
          asked.push(content)
        },
        requestEnded: () => asked.end(),
        answer: (head) => {
          isTheLast = method === 'DELETE' && head.status < 300
          answer = answerReader(headerValues(head.headers, 'content-type')[0], conversation)
        },
        response: (content) => {
          noise()
          answer?.push(content)
          gate?.answered()
        },
        end: () => {
          if (answer instanceof LineReader) answer.end()
          if (id === undefined) conversation.end()
          else if (isTheLast) this.#endSession(id)
          leave?.()
        },
      },
      ...(gate === undefined ? {} : { gate: bodyGate(gate) }),
    }
  }

  end(): void {
    for (const conversation of this.#sessions.values()) conversation.end()
  }

  #session(id: string): Conversation {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const fresh = this.#listening.conversation()
    this.#sessions.set(id, fresh)
    this.#listening.clientJoined()
    return fresh
  }

  #endSession(id: string): void {
    this.#sessions.get(id)?.end()
    if (this.#sessions.delete(id)) this.#listening.clientLeft()
  }
}

function answerReader(type = '', conversation: Conversation): LineReader | SseReader {
  const told = (line: ReadLine | undefined): void => {
    if (line !== undefined) conversation.fromServer(line)
  }
  if (type.startsWith('text/event-stream')) return new SseReader((data) => told(readDocument(data)))
  return new LineReader(told, { isDocument: true })
}

function bodyGate(gate: NetworkGate): ExchangeGate {
  return {
    request: (body, forward) =>
      gate.take({ messages: readDocument(body)?.messages ?? [], forward }),
    tunnel: (chunk, forward) => forward(chunk),
  }
}
