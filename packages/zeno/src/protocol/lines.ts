// Standard input as lines. The next chunk is read only when the last one has been dealt with, so a
// sender is held back by the pipe and memory is bounded by the longest line allowed.

/** A line without its newline, or the length of one that was too long to keep. */
export type RequestLine = { bytes: Buffer } | { tooLong: number }

const newline = 0x0a

/** A last line without a newline counts; it is not told apart. */
export async function* requestLines(
  input: AsyncIterable<Buffer | string>,
  mostBytes: number,
): AsyncGenerator<RequestLine> {
  let pieces: Buffer[] = []
  let pending = 0
  const finish = (last: Buffer): RequestLine => {
    const length = pending + last.length
    const whole = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    pieces = []
    pending = 0
    return length > mostBytes ? { tooLong: length } : { bytes: whole }
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
    if (pending > mostBytes) pieces = []
    else pieces.push(bytes.subarray(start))
  }
  if (pending > 0) yield finish(Buffer.alloc(0))
}
