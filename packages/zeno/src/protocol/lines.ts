// Splits an input stream into request lines. It reads the next chunk only after the consumer has handled
// the last one: the pipe applies back-pressure, and memory is bounded by the maximum line length.

/** A line without its newline, or the byte length of an oversized line, whose content is dropped. */
export type RequestLine = { bytes: Buffer } | { tooLong: number }

const newline = 0x0a

/** Yields every line of `input`, including a last line without a newline. */
export async function* requestLines(
  input: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<RequestLine> {
  let pieces: Buffer[] = []
  let pending = 0
  const finish = (last: Buffer): RequestLine => {
    const length = pending + last.length
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    pieces = []
    pending = 0
    return length > maxBytes ? { tooLong: length } : { bytes }
  }
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield finish(bytes.subarray(start, end))
      start = end + 1
    }
    if (start === bytes.length) continue
    pending += bytes.length - start
    if (pending > maxBytes) pieces = []
    else pieces.push(bytes.subarray(start))
  }
  if (pending > 0) yield finish(Buffer.alloc(0))
}
