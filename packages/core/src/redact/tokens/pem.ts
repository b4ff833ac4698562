// PEM blocks of private keys and certificates, also quoted, numbered or indented line by line, the end of
// a private key whose first line is missing, and a piece of a block without both.
import type { TextRange } from '../spans.ts'

/** From `-----BEGIN` to `-----END`, or to the end of the text without one. */
export function* findPemBlocks(text: string): Iterable<TextRange> {
  const begin = /-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,80})-----/g
  let covered = 0
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const body = begin.lastIndex
    const isPrivate = (found[1] ?? '').includes('PRIVATE KEY')
    if (isPrivate ? !isKeyAt(text, found.index, body) : !startsLikeBase64(text, body)) continue
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
    if (isKeyAt(text, found.index, begin.lastIndex)) return true
  }
  return false
}

/** Lines of a block whose first and last line are elsewhere: a window of a file, a part of an output. */
export function* findPemPieces(text: string): Iterable<TextRange> {
  const head = leadingPiece.exec(text)?.[0] ?? ''
  if (head !== '' && isKeyMaterial(head)) yield [0, head.length]
  const start = startOfTrailingPiece(text)
  if (start >= head.length && start < text.length && isKeyMaterial(text.slice(start)))
    yield [start, text.length]
}

/** PEM writers break lines after 64 characters; other base64 has lines of 76 or one line. */
const leadingPiece = /^(?:[A-Za-z0-9+/]{64}\r?\n){3,512}(?:[A-Za-z0-9+/]{1,64}={0,2}(?:\r?\n|$))?/
const lastLine = /^[A-Za-z0-9+/]{1,64}={0,2}\r?$/
const fullLine = /^[A-Za-z0-9+/]{64}\r?$/

/** The length of the text if it does not end with at least two complete lines of a piece. */
function startOfTrailingPiece(text: string): number {
  const end = text.trimEnd().length
  let start = text.lastIndexOf('\n', end - 1) + 1
  if (!lastLine.test(text.slice(start, Math.min(end, start + 70)))) return text.length
  let count = 0
  while (start > 0) {
    const before = text.lastIndexOf('\n', start - 2) + 1
    if (!fullLine.test(text.slice(before, start - 1))) break
    start = before
    count += 1
  }
  return count < 2 ? text.length : start
}

/** False for lists of hashes, which have no letters of both cases. */
function isKeyMaterial(lines: string): boolean {
  return lines
    .trimEnd()
    .split(/\r?\n/)
    .filter((line) => line.length === 64)
    .every((line) => /[a-z]/.test(line) && /[A-Z]/.test(line) && /[0-9+/]/.test(line))
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

/** Whether the body of a private key follows its first line, from `begin` to `from`. */
function isKeyAt(text: string, begin: number, from: number): boolean {
  if (startsKeyBody(text, from)) return true
  const prefix = prefixOfLines(text, begin)
  const line =
    prefix && /^(?:\\+r|\r)?(?:\\+n|\n)(.{0,300})/.exec(text.slice(from, from + 310))?.[1]
  return line ? /^[A-Za-z0-9+/]{48}/.test(line.replace(prefix, '')) : false
}

/**
 * Matches what a tool writes before each line, such as `file:12:`, `  12→` or `-`, given the position after
 * it in one line. Numbers differ between lines, and grep marks matches and their surroundings differently.
 */
function prefixOfLines(text: string, at: number): RegExp | undefined {
  const [line = ''] = text
    .slice(Math.max(0, at - 200), at)
    .split(/\\n|\n/)
    .slice(-1)
  const prefix = line.slice(line.search(/[^"'`]*$/))
  if (prefix === '') return undefined
  const pattern = prefix.replace(/\d+|[ \t]+|[:-]|[^\w\s]/gu, (part) => {
    if (/\d/.test(part)) return '\\d+'
    if (/[:-]/.test(part)) return '[:-]'
    return /\s/.test(part) ? '[ \\t]*' : `\\u{${(part.codePointAt(0) ?? 0).toString(16)}}`
  })
  return new RegExp(`^${pattern}`, 'u')
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
  const prefix = prefixOfLines(text, at)
  const before = text.slice(from, at)
  let start = before.length
  for (let end = before.length; end > 0;) {
    const lineStart = startOfLine(before, end)
    const whole = before.slice(lineStart, end)
    const bare = prefix === undefined ? whole : whole.replace(prefix, '')
    const line = bare.replace(/\\+[nr]|[\s"'`,+>|]/g, '')
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
  const start = escaped > plain ? escaped + 2 : plain + 1
  return start < end ? start : 0
}
