// MCP over Streamable HTTP: a request carries messages of the client, its answer those of the server, as
// JSON or as an event stream. A pending request of a session may be answered in a later HTTP request, because
// clients can resume broken streams.
import { headerValues } from '../../http/http.ts'
import type { AnswerHead, ExchangeGate, RequestHead } from '../../http/http.ts'
import type { Conversation } from '../conversation.ts'
import type { AnswerFaults } from '../faults/faults.ts'
import { LineReader, readDocument, SseReader, type ReadLine } from '../messages/messages.ts'
import type { NetworkContext, Watcher } from './context.ts'
import { rewriteBody } from './faulty-bodies.ts'
import type { NetworkGate } from './gate.ts'

export class StreamableHttp {
  readonly #context: NetworkContext
  /** Conversations by session id. */
  readonly #sessions = new Map<string, Conversation>()

  constructor(context: NetworkContext) {
    this.#context = context
  }

  watch({ method, headers }: RequestHead): Watcher {
    const { gate, touch, conversation: begin } = this.#context
    const [id] = headerValues(headers, 'mcp-session-id')
    const conversation = id === undefined ? begin() : this.#session(id)
    const { faults } = conversation
    let hasRequest = false
    let endsSession = false
    const leave = gate?.join(() => (hasRequest ? Math.min(1, conversation.pendingRequests) : 0))
    const clientMessages = new LineReader(
      (line) => {
        hasRequest = line.messages.some(({ kind }) => kind === 'request')
        conversation.fromClient(line)
      },
      { isDocument: true },
    )
    let answer: LineReader | SseReader | undefined
    return {
      observer: {
        request: (content) => {
          touch()
          clientMessages.push(content)
        },
        requestEnded: () => clientMessages.end(),
        answer: (head) => {
          endsSession = method === 'DELETE' && head.status < 300
          answer = answerReader(headerValues(head.headers, 'content-type')[0], conversation)
        },
        response: (content) => {
          touch()
          answer?.push(content)
          gate?.answered()
        },
        end: () => {
          if (answer instanceof LineReader) answer.end()
          if (id === undefined) conversation.end()
          else if (endsSession) this.#endSession(id)
          leave?.()
        },
      },
      ...(gate === undefined ? {} : { gate: bodyGate(gate) }),
      ...(faults === undefined
        ? {}
        : { rewrite: (head, emit) => rewriteAnswer(head, faults, emit) }),
    }
  }

  end(): void {
    for (const conversation of this.#sessions.values()) conversation.end()
  }

  #session(id: string): Conversation {
    const existing = this.#sessions.get(id)
    if (existing !== undefined) return existing
    const fresh = this.#context.conversation()
    this.#sessions.set(id, fresh)
    this.#context.clientJoined()
    return fresh
  }

  #endSession(id: string): void {
    this.#sessions.get(id)?.end()
    if (this.#sessions.delete(id)) this.#context.clientLeft()
  }
}

function answerReader(type = '', conversation: Conversation): LineReader | SseReader {
  const fromServer = (line: ReadLine | undefined): void => {
    if (line !== undefined) conversation.fromServer(line)
  }
  if (type.startsWith('text/event-stream'))
    return new SseReader((data) => fromServer(readDocument(data)))
  return new LineReader(fromServer, { isDocument: true })
}

/** Answers without a message, such as 202 for notifications, have nothing to change. */
function rewriteAnswer(head: AnswerHead, faults: AnswerFaults, emit: (bytes: Buffer) => void) {
  const [type = ''] = headerValues(head.headers, 'content-type')
  const hasMessages = /^(?:application\/json|text\/event-stream)\b/.test(type)
  return hasMessages ? rewriteBody(type, faults, emit) : undefined
}

function bodyGate(gate: NetworkGate): ExchangeGate {
  return {
    request: (body, forward) =>
      gate.take({ messages: readDocument(body)?.messages ?? [], forward }),
    tunnel: (chunk, forward) => forward(chunk),
  }
}
