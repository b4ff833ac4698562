// An HTTP server that answers from a recorded trace. Requests match by method, path, query and body. The
// trace holds no headers, so the content type is guessed from the body.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BoundedCapture } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { httpAnswer, httpQuestions, type HttpAnswer } from '../../../served/served.ts'
import type { ServedTrace } from '../../../served/served.ts'
import { bodyText } from '../exchange/exchange.ts'

export interface ServedAnswers {
  served: ServedTrace
  redactor: Redactor
  identity: AttemptIdentity | undefined
  /** The base path of the upstream, if the requests contain it. */
  basePath: string | undefined
  /** Answers a request that must go to the real service. */
  live?: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void
}

const notRecorded: HttpAnswer = { status: 404, body: 'not in the recorded trace\n' }
/** Larger bodies of live requests are not forwarded. */
const maxLiveBytes = 64 * 1024 * 1024

export function servedAnswersServer(answers: ServedAnswers): Server {
  return createServer((request, response) => {
    const capture = new BoundedCapture(
      answers.live === undefined ? previewCaptureBytes : maxLiveBytes,
    )
    request.on('data', (chunk: Buffer) => capture.push(chunk))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      respond(answers, request, capture, response).catch(() => response.destroy())
    })
  })
}

async function respond(
  { served, redactor, identity, basePath, live }: ServedAnswers,
  request: IncomingMessage,
  body: BoundedCapture,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: target = '/' } = request
  const text = bodyText(
    { bytes: body.bytes, head: body.head() },
    request.headers['content-encoding'],
    redactor,
  )
  const questions = httpQuestions({ method, target, body: text ?? '', basePath }, redactor)
  const answer = await served.answer(questions, identity)
  if (answer.kind === 'live' && live !== undefined) {
    live(request, body.head(), response)
    return
  }
  const { status, body: content } =
    answer.kind === 'recorded' ? httpAnswer(answer.event, answer.patch) : notRecorded
  response.writeHead(status, { 'Content-Type': typeOf(content) })
  response.end(method === 'HEAD' ? undefined : content)
}

function typeOf(body: string): string {
  const first = body.trimStart()[0]
  if (first === '{' || first === '[') return 'application/json'
  if (/^(?:event|data|id|retry):/.test(body)) return 'text/event-stream'
  return first === '<' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
}
