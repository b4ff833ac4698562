// `zcl mcp serve-trace`: an MCP server that answers from a recorded trace, so that an agent can run against
// recorded tools. Requests are matched by method and parameters.
import { canonicalJson } from '@zee/core/canonical-json'
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import { streamWriter } from '@zee/core/lossless'
import type { Redactor } from '@zee/core/redact'
import { traceEvents, type StoredEvent } from '@zee/evidence/events'
import { resolveAttempt } from '../../../attempts/attempts.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { zclError } from '../../../errors/errors.ts'
import { RecordedAnswers } from '../../recorded-answers.ts'

type Loose = Readonly<Record<string, unknown>>
/** A recorded response without its id. */
type Answer = { result: unknown } | { error: unknown }

const notRecorded = -32_001
/** Longer lines match no recorded request. */
const maxLineBytes = 16 * 1024 * 1024

export async function runMcpServeTrace(argument: string | undefined, host: Host): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const redactor = redactorFor(host)
  const answers = new RecordedAnswers<Answer>()
  for await (const event of traceEvents(folder)) {
    const { method, params } = event.input
    if (event.tool !== 'mcp' || typeof method !== 'string') continue
    answers.add(questionOf(method, params, redactor), answerOf(event))
  }
  if (answers.size === 0) {
    throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no MCP request`)
  }
  await serve(host, (message) => respond(message, answers, redactor))
  return 0
}

/** Answers each input line until the client ends; the last line needs no line ending. */
async function serve(host: Host, respond: (message: Loose) => object | undefined): Promise<void> {
  const write = streamWriter(host.stdout)
  let answers: string[] = []
  const lines = new LineSplitter(maxLineBytes, {
    line(bytes, start, end) {
      const responses = parsed(bytes.toString('utf8', start, end)).flatMap(
        (message) => respond(message) ?? [],
      )
      answers.push(...responses.map((response) => `${JSON.stringify(response)}\n`))
      return true
    },
    tooLong: () => true,
  })
  const send = async (): Promise<void> => {
    const text = answers.join('')
    answers = []
    if (text !== '') await write(text)
  }
  for await (const chunk of host.stdin) {
    lines.push(chunk as Buffer)
    await send()
  }
  lines.end()
  await send()
}

function respond(
  { id, method, params }: Loose,
  answers: RecordedAnswers<Answer>,
  redactor: Redactor,
): object | undefined {
  if (id === undefined || typeof method !== 'string') return undefined
  const answer = answers.next(questionOf(method, params, redactor))
  if (answer !== undefined) return { jsonrpc: '2.0', id, ...answer }
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} }
  const message = `not in the recorded trace: ${method}`
  return { jsonrpc: '2.0', id, error: { code: notRecorded, message } }
}

/**
 * The key of a request. It is redacted like the trace, so that a different secret still matches. The
 * parameters of `initialize` and `_meta` do not count.
 */
function questionOf(method: string, params: unknown, redactor: Redactor): string {
  if (method === 'initialize') return method
  const { _meta, ...matched } = (params ?? {}) as Loose
  try {
    return `${method} ${canonicalJson(redactor.value(matched).value)}`
  } catch {
    return method
  }
}

function answerOf({ input, outPreview, isOutTruncated, code }: StoredEvent): Answer {
  const responses = parsed(outPreview).filter((each) => 'result' in each || 'error' in each)
  const response = responses.find(({ id }) => id === input.id) ?? responses[0]
  if (response !== undefined && !isOutTruncated) {
    return 'error' in response ? { error: response.error } : { result: response.result }
  }
  const why = isOutTruncated ? 'the recorded answer was too large to be kept' : 'it had no answer'
  return {
    error: { code: notRecorded, message: `${why}${code === undefined ? '' : ` (${code})`}` },
  }
}

function parsed(line: string): Loose[] {
  try {
    const value: unknown = JSON.parse(line)
    const list = Array.isArray(value) ? value : [value]
    return list.filter((each): each is Loose => typeof each === 'object' && each !== null)
  } catch {
    return []
  }
}
