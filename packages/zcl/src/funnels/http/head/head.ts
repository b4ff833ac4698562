// Parses HTTP/1 message heads strictly: malformed input gives undefined, nothing is guessed or repaired,
// so that proxy and upstream cannot disagree about a message.
import { hasHeader, headerValues, type RawHeaders } from '../headers.ts'

export { HeadReader } from './reader.ts'

interface MessageHead {
  isHttp10: boolean
  headers: RawHeaders
}

export interface RequestHead extends MessageHead {
  method: string
  target: string
}

export interface AnswerHead extends MessageHead {
  status: number
  reason: string
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Control characters, and a CR without LF. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)/
// oxlint-disable-next-line no-control-regex -- the same
const requestLine = /^([^ ]+) ([^\0-\x20\x7f]+) HTTP\/1\.([01])$/
const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/

export function parseRequestHead(text: string): RequestHead | undefined {
  const lines = linesOf(text)
  const found = requestLine.exec(lines?.[0] ?? '')
  const headers = lines && fieldsOf(lines)
  if (found === null || headers === undefined) return undefined
  const [, method = '', target = '', minor] = found
  if (!token.test(method)) return undefined
  const isHttp10 = minor === '0'
  const hosts = headerValues(headers, 'host').length
  if (hosts > 1 || (hosts === 0 && !isHttp10)) return undefined
  return { method, target, isHttp10, headers }
}

export function parseAnswerHead(text: string): AnswerHead | undefined {
  const lines = linesOf(text)
  const found = statusLine.exec(lines?.[0] ?? '')
  const headers = lines && fieldsOf(lines)
  if (found === null || headers === undefined) return undefined
  const [, minor, status, reason = ''] = found
  if (Number(status) < 100) return undefined
  return { status: Number(status), reason, isHttp10: minor === '0', headers }
}

/** Whether `text` is a valid trailer section, which must not contain framing headers. */
export function areTrailers(text: string): boolean {
  if (text === '') return true
  const lines = linesOf(text)
  const fields = lines && fieldsOf(['', ...lines])
  return fields !== undefined && !notInTrailers.some((name) => hasHeader(fields, name))
}

const notInTrailers = ['content-length', 'transfer-encoding', 'host']

/** The message head with its final empty line, one character per byte (latin1). */
export function headText(startLine: string, headers: RawHeaders): string {
  let text = `${startLine}\r\n`
  for (let at = 0; at + 1 < headers.length; at += 2) {
    text += `${headers[at]}: ${headers[at + 1]}\r\n`
  }
  return `${text}\r\n`
}

/** Whether the sender keeps the connection open after this message. */
export function keepsConnection({ isHttp10, headers }: MessageHead): boolean {
  const tokens = connectionTokens(headers)
  return isHttp10 ? tokens.includes('keep-alive') : !tokens.includes('close')
}

export function requestsUpgrade({ isHttp10, headers }: RequestHead): boolean {
  if (isHttp10 || !hasHeader(headers, 'upgrade')) return false
  return connectionTokens(headers).includes('upgrade')
}

function connectionTokens(headers: RawHeaders): string[] {
  return headerValues(headers, 'connection').flatMap((value) =>
    value.split(',').map((part) => part.trim().toLowerCase()),
  )
}

function linesOf(text: string): string[] | undefined {
  return unprintable.test(text) ? undefined : text.split('\r\n')
}

/** Names and values of the header lines; undefined when one is malformed. */
function fieldsOf(lines: readonly string[]): string[] | undefined {
  const fields: string[] = []
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    // Rejects folded lines too: they start with a space, which is not a token character.
    if (!token.test(name)) return undefined
    fields.push(name, withoutSpaceAround(line, colon + 1))
  }
  return fields
}

/** Trims spaces and tabs in linear time; a regular expression would be quadratic on runs of spaces. */
function withoutSpaceAround(line: string, from: number): string {
  let start = from
  let end = line.length
  while (start < end && isSpace(line.charCodeAt(start))) start++
  while (end > start && isSpace(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}
