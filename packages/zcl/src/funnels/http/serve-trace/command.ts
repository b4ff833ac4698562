// `zcl http serve-trace`: serves the HTTP answers of a recorded trace. Requests are matched by method, path
// and query. The trace holds no headers, so the content type is guessed from the body.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Host } from '@zee/core/exit'
import type { Redactor } from '@zee/core/redact'
import { traceEvents, type StoredEvent } from '@zee/evidence/events'
import { resolveAttempt } from '../../../attempts/attempts.ts'
import { printJson } from '../../../output/output.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { zclError } from '../../../errors/errors.ts'
import { listenOn } from '../../listen-on.ts'
import { RecordedAnswers } from '../../recorded-answers.ts'
import { serveUntilEnd } from '../../serve-until-end.ts'
import { listenText, proxyUrl, type ListenAddress } from '../../funnels.ts'

interface Answer {
  status: number
  body: string
}

const notRecorded: Answer = { status: 404, body: 'not in the recorded trace\n' }

export async function runHttpServeTrace(
  argument: string | undefined,
  { listen }: { listen: ListenAddress },
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const redactor = redactorFor(host)
  const answers = new RecordedAnswers<Answer>()
  for await (const event of traceEvents(folder)) {
    const { method, url } = event.input
    if (event.tool !== 'http' || typeof method !== 'string' || typeof url !== 'string') continue
    answers.add(questionOf(method, targetOf(url), redactor), answerOf(event))
  }
  if (answers.size === 0) {
    throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no HTTP request`)
  }
  await serve(answers, redactor, listen, host)
  return 0
}

/** Serves until a signal arrives. */
async function serve(
  answers: RecordedAnswers<Answer>,
  redactor: Redactor,
  listen: ListenAddress,
  host: Host,
): Promise<void> {
  const server = createServer((request, response) => {
    request.resume()
    const question = questionOf(request.method ?? 'GET', request.url ?? '/', redactor)
    respond(request, response, answers.next(question) ?? notRecorded)
  })
  const ending = serveUntilEnd(undefined)
  try {
    const address = await listenOn(server, listen)
    printJson(host, { ok: true, listenAddr: listenText(address), url: proxyUrl(address) })
    await ending.ended
  } finally {
    ending.release()
    server.close()
    server.closeAllConnections()
  }
}

function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { 'Content-Type': typeOf(answer.body) })
  response.end(request.method === 'HEAD' ? undefined : answer.body)
}

/** The key of a request. It is redacted like the trace, so that a different secret still matches. */
function questionOf(method: string, target: string, redactor: Redactor): string {
  return `${method} ${redactor.text(target).text}`
}

/** Path and query of a recorded URL. */
function targetOf(url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return target === '' ? '/' : target
}

function answerOf({ enrichment, outPreview, isOutTruncated }: StoredEvent): Answer {
  const { status } = (enrichment.http ?? {}) as { status?: unknown }
  if (isOutTruncated) return { status: 501, body: 'the recorded answer was not kept whole\n' }
  const isStatus = typeof status === 'number' && status >= 200 && status <= 599
  return { status: isStatus ? status : 502, body: outPreview }
}

function typeOf(body: string): string {
  const first = body.trimStart()[0]
  if (first === '{' || first === '[') return 'application/json'
  return first === '<' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
}
