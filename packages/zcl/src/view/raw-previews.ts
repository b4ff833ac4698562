// Reads a trace line without its previews: what stands before and behind them is short and is parsed, the
// previews are only located, so that they reach a page as they are. For lines in the layout that the
// funnel of commands writes; others have to be parsed as a whole.

export interface RawCall {
  /** Everything before `io`; the caller's to complete. */
  head: Record<string, unknown>
  outBytes: number
  errBytes: number
  isTruncated: boolean
  redactions: string[]
  /** Where the JSON strings of the previews lie, quotes included; from = to when there is none. */
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
/** Ids and times of a line of the funnel, its counts of bytes, and what follows the previews. */
const maxIdBytes = 1024
const maxCountBytes = 64
const maxTailBytes = 1024

/** A quote inside a JSON string is escaped, so that a key found with plain quotes is a key. */
export function rawPreviews(bytes: Buffer, start: number, end: number): RawCall | undefined {
  if (!matchesAt(bytes, start, opening)) return undefined
  const input = bytes.indexOf(argv, start)
  if (input < 0 || input > start + maxIdBytes) return undefined
  const at = bytes.indexOf(io, input)
  if (at < 0 || at > end) return undefined
  const head = parseHead(`${bytes.toString('utf8', start, at)}}}`)
  const counts = /^\},"io":\{"outBytes":(\d+),"errBytes":(\d+)/.exec(
    bytes.toString('latin1', at, at + maxCountBytes),
  )
  if (head === undefined || counts === null) return undefined
  const out = previewAt(bytes, at + counts[0].length, end, outPreview)
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

/** The beginning of a line up to its `result`, closed: an object whose last value is that. */
function parseHead(text: string): Record<string, unknown> | undefined {
  try {
    const head = JSON.parse(text) as Record<string, unknown>
    return Object.keys(head).at(-1) === 'result' ? head : undefined
  } catch {
    return undefined
  }
}

function previewAt(bytes: Buffer, at: number, end: number, key: Buffer): Span {
  if (!matchesAt(bytes, at, key)) return { from: at, to: at }
  const from = at + key.length - 1
  return { from, to: endOfString(bytes, from, end) }
}

function matchesAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false
  }
  return true
}

function endOfString(bytes: Buffer, from: number, end: number): number {
  let at = bytes.indexOf(quote, from + 1)
  while (at >= 0 && at < end && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1)
  return at < 0 || at >= end ? end : at + 1
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1
  while (bytes[before] === backslash) before--
  return (at - before) % 2 === 0
}
