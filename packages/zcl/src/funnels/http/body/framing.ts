// Determines how a message body is delimited. Ambiguous or repeated framing headers are rejected, because
// they enable request smuggling.
import { headerValues } from '../headers.ts'
import type { AnswerHead, RequestHead } from '../head/head.ts'

export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** The end of the connection delimits the body. */
  | { kind: 'close' }

const bodiless: Framing = { kind: 'none' }
const chunked: Framing = { kind: 'chunked' }
const untilClose: Framing = { kind: 'close' }

/** The framing of a request body; undefined when the head is ambiguous. */
export function requestFraming(head: RequestHead): Framing | undefined {
  const declared = declaredFraming(head)
  if (declared === 'nothing') return bodiless
  return declared?.kind === 'chunked' && head.isHttp10 ? undefined : declared
}

/** The framing of the answer to a request with this method; undefined when the head is ambiguous. */
export function answerFraming(head: AnswerHead, method: string): Framing | undefined {
  const declared = declaredFraming(head)
  if (declared === undefined || isBodiless(method, head.status)) return declared && bodiless
  return declared === 'nothing' ? untilClose : declared
}

export function isBodiless(method: string, status: number): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304
}

function declaredFraming({ headers }: RequestHead | AnswerHead): Framing | 'nothing' | undefined {
  const codings = headerValues(headers, 'transfer-encoding')
  const lengths = headerValues(headers, 'content-length')
  if (codings.length + lengths.length > 1) return undefined
  const [coding] = codings
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' ? chunked : undefined
  const [length] = lengths
  if (length === undefined) return 'nothing'
  const bytes = /^\d{1,16}$/.test(length) ? Number(length) : Number.NaN
  if (!Number.isSafeInteger(bytes)) return undefined
  return bytes === 0 ? bodiless : { kind: 'length', bytes }
}
