// Finds the previews of a trace line in its bytes, so that they reach a page without being parsed and
// written again. Only for lines in the layout that the funnel of commands writes; others are parsed.

export interface RawCall {
  exit: number | undefined
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

const argv = Buffer.from(',"input":{"argv":[')
const result = Buffer.from('},"io":{"outBytes":')
const outPreview = Buffer.from(',"outPreview":"')
const errPreview = Buffer.from(',"errPreview":"')
const quote = 0x22
const backslash = 0x5c
/** `"result":{...` and the counts of bytes, in a line of the funnel. */
const longestResult = 160
const longestCounts = 60
const longestTail = 1024

/** A quote inside a JSON string is escaped, so that a key found with plain quotes is a key. */
export function rawPreviews(line: Buffer, start: number, end: number): RawCall | undefined {
  const bytes = line.subarray(start, end)
  const input = bytes.indexOf(argv)
  if (input < 0 || input > 1024) return undefined
  const io = bytes.indexOf(result, input)
  if (io < 0) return undefined
  const before = bytes.toString('latin1', Math.max(0, io - longestResult), io)
  const [, fields] = /"result":(\{"ok":[^{}]*)$/.exec(before) ?? []
  const counts = /^\},"io":\{"outBytes":\d+,"errBytes":\d+/.exec(
    bytes.toString('latin1', io, io + longestCounts),
  )
  if (fields === undefined || counts === null) return undefined
  const out = previewAt(bytes, io + counts[0].length, outPreview)
  const err = previewAt(bytes, out.to, errPreview)
  if (bytes.length - err.to > longestTail) return undefined
  const tail = bytes.toString('latin1', err.to)
  const rest =
    /^(?:,"(?:out|err)Truncated":(?:true|false))*\},"redactionsApplied":(\[[^\]]*\])/.exec(tail)
  if (rest === null || tail.includes('"enrichment":')) return undefined
  const exit = /"exitCode":(-?\d+)/.exec(fields)?.[1]
  return {
    exit: exit === undefined ? undefined : Number(exit),
    isTruncated: tail.includes('"integrity":{"truncated":true}'),
    redactions: rest[1] === '[]' ? [] : (JSON.parse(rest[1] ?? '[]') as string[]),
    out: { from: start + out.from, to: start + out.to },
    err: { from: start + err.from, to: start + err.to },
  }
}

function previewAt(bytes: Buffer, at: number, key: Buffer): Span {
  if (bytes.compare(key, 0, key.length, at, at + key.length) !== 0) return { from: at, to: at }
  const from = at + key.length - 1
  return { from, to: endOfString(bytes, from) }
}

function endOfString(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(quote, from + 1)
  while (at >= 0 && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1)
  return at < 0 ? bytes.length : at + 1
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1
  while (bytes[before] === backslash) before--
  return (at - before) % 2 === 0
}
