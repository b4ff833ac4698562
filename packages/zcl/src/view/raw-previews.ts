// Locates the previews in the bytes of a trace line, so that a page can copy them without parsing.
// The short parts before and after them are parsed. Works only for the layout that the CLI funnel writes;
// other lines need a full parse.

export interface RawCall {
  /** The parsed fields before `io`; the caller may modify it. */
  head: Record<string, unknown>
  outBytes: number
  errBytes: number
  isTruncated: boolean
  redactions: string[]
  /** The byte ranges of the preview strings with their quotes; from = to when there is none. */
  out: Span
  err: Span
}

export interface Span {
  from: number
  to: number
}

const opening = Buffer.from('{"v":1,"ts":"')
const argv = Buffer.from(',"input":{"argv":[')
const io = Buffer.from('},"io":{"outBytes":')
const outPreview = Buffer.from(',"outPreview":"')
const errPreview = Buffer.from(',"errPreview":"')
const quote = 0x22
const backslash = 0x5c
/** Upper bounds of the parts of a CLI funnel line: ids and times, byte counts, and the tail. */
const maxIdBytes = 1024
const maxCountBytes = 64
const maxTailBytes = 1024

/** Quotes inside JSON strings are escaped, so a match with plain quotes is always a key. */
export function rawPreviews(bytes: Buffer, start: number, end: number): RawCall | undefined {
  if (!matchesAt(bytes, start, opening)) return undefined
  const input = bytes.indexOf(argv, start)
  if (input < 0 || input > start + maxIdBytes) return undefined
  const ioStart = bytes.indexOf(io, input)
  if (ioStart < 0 || ioStart > end) return undefined
  const head = parseHead(`${bytes.toString('utf8', start, ioStart)}}}`)
  const counts = /^\},"io":\{"outBytes":(\d+),"errBytes":(\d+)/.exec(
    bytes.toString('latin1', ioStart, ioStart + maxCountBytes),
  )
  if (head === undefined || counts === null) return undefined
  const out = previewAt(bytes, ioStart + counts[0].length, end, outPreview)
  const err = previewAt(bytes, out.to, end, errPreview)
  if (end - err.to > maxTailBytes) return undefined
  const tail = bytes.toString('latin1', err.to, end)
  const rest = afterPreviews.exec(tail)
  if (rest === null || tail.includes('"enrichment":')) return undefined
  return {
    head,
    outBytes: Number(counts[1]),
    errBytes: Number(counts[2]),
    isTruncated: tail.includes('"integrity":{"truncated":true}'),
    redactions: rest[1] === '[]' ? [] : (JSON.parse(rest[1] ?? '[]') as string[]),
    out,
    err,
  }
}

const afterPreviews =
  /^(?:,"(?:out|err)Truncated":(?:true|false))*\},"redactionsApplied":(\[(?:"[\w-]*",?)*\])/

/** Parses the head of a line; undefined unless `result` is its last key. */
function parseHead(text: string): Record<string, unknown> | undefined {
  try {
    const head = JSON.parse(text) as Record<string, unknown>
    return Object.keys(head).at(-1) === 'result' ? head : undefined
  } catch {
    return undefined
  }
}

function previewAt(bytes: Buffer, position: number, end: number, key: Buffer): Span {
  if (!matchesAt(bytes, position, key)) return { from: position, to: position }
  const from = position + key.length - 1
  return { from, to: endOfString(bytes, from, end) }
}

function matchesAt(bytes: Buffer, position: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[position + index] !== expected[index]) return false
  }
  return true
}

function endOfString(bytes: Buffer, from: number, end: number): number {
  let position = bytes.indexOf(quote, from + 1)
  while (position >= 0 && position < end && isEscaped(bytes, position))
    position = bytes.indexOf(quote, position + 1)
  return position < 0 || position >= end ? end : position + 1
}

function isEscaped(bytes: Buffer, position: number): boolean {
  let before = position - 1
  while (bytes[before] === backslash) before--
  return (position - before) % 2 === 0
}
