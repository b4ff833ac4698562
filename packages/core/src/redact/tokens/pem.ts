// PEM blocks of private keys and certificates, also quoted, numbered or indented line by line, and the
// end of a private key whose first line is missing.
import type { TextRange } from '../spans.ts'

/** From `-----BEGIN` to `-----END`, or to the end of the text without one. */
export function* findPemBlocks(text: string): Iterable<TextRange> {
  const begin = /-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,80})-----/g
  let covered = 0
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const body = begin.lastIndex
    const isPrivate = (found[1] ?? '').includes('PRIVATE KEY')
    if (isPrivate ? !startsKeyBody(text, body) : !startsLikeBase64(text, body)) continue
    yield* endsWithoutBegin(text, covered, found.index)
    covered = endOfPemBlock(text, body)
    yield [found.index, covered]
    begin.lastIndex = covered
  }
  yield* endsWithoutBegin(text, covered, text.length)
}

/** Whether there is a PEM block of a private key; a validator ignores certificates and public keys. */
export function holdsPrivateKey(text: string): boolean {
  const begin = /-----BEGIN (?:[A-Z0-9][A-Z0-9 ]{0,40} )?PRIVATE KEY[A-Z0-9 ]{0,20}-----/g
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    if (startsKeyBody(text, begin.lastIndex)) return true
  }
  return false
}

function endOfPemBlock(text: string, from: number): number {
  const end = /-----END [A-Z0-9][A-Z0-9 ]{0,60}-----/g
  end.lastIndex = from
  return end.test(text) ? end.lastIndex : text.length
}

/** False for a certificate's first line that is only quoted in code or prose. */
function startsLikeBase64(text: string, from: number): boolean {
  return /^(?:\s|\\[nr])*[A-Za-z0-9+/]{16}/.test(text.slice(from, from + 64))
}

/** False for a first line that code compares with or prose quotes. The text may end inside the body. */
function startsKeyBody(text: string, from: number): boolean {
  const start = text.slice(from, from + 128)
  const body = start.replace(/\\+[nrt]|[\s"'`+,\\>|:#*]/g, '')
  if (/^(?:[A-Za-z0-9/=]{16}|Proc-Type|DEK-Info|Version|Comment|Charset)/.test(body)) return true
  return start.length < 128 && /^[A-Za-z0-9/=-]*$/.test(body)
}

/** The lines of base64 before an `-----END ... PRIVATE KEY-----` whose first line is missing. */
function* endsWithoutBegin(text: string, from: number, to: number): Iterable<TextRange> {
  const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z0-9 ]{0,20}-----/g
  end.lastIndex = from
  let least = from
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    if (found.index >= to) return
    const start = startOfBody(text, found.index, least)
    least = end.lastIndex
    if (found.index - start >= minBodyLength) yield [start, end.lastIndex]
  }
}

const minBodyLength = 24
/** A private key of 16,384 bits has about 12 KiB. */
const maxBodyLength = 16 * 1024

/** The start of the lines of base64 that end before `at`; lines may be quoted or end with `\\n`. */
function startOfBody(text: string, at: number, least: number): number {
  const from = Math.max(least, at - maxBodyLength)
  const before = text.slice(from, at)
  let start = before.length
  for (let end = before.length; end > 0;) {
    const lineStart = startOfLine(before, end)
    const line = before.slice(lineStart, end).replace(/\\+[nr]|[\s"'`,+>|]/g, '')
    if (!/^[A-Za-z0-9/=]*$/.test(line)) {
      // The first line may follow other text, for example the name of a JSON member.
      const [tail = ''] =
        /[A-Za-z0-9+/=]{16,128}(?:\\+[nr]|["'\s])*$/.exec(
          before.slice(lineStart, end).slice(-160),
        ) ?? []
      start = end - tail.length
      break
    }
    if (line.length > 0 && line.length < 16 && start < before.length - 80) break
    start = lineStart
    end = lineStart
  }
  return /[A-Za-z0-9+/=]{24}/.test(before.slice(start)) ? from + start : at
}

/** The position after the line break before `end`, which may be written as an escape. */
function startOfLine(text: string, end: number): number {
  const escaped = text.lastIndexOf('\\n', end - 3)
  const plain = text.lastIndexOf('\n', end - 2)
  if (escaped === -1 && plain === -1) return 0
  const start = escaped > plain ? escaped + 2 : plain + 1
  return start < end ? start : 0
}
