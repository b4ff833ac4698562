// Reads standard input up to a bound: a command in front may write without an end.
import { usageError } from '../errors/errors.ts'

/** The text up to the end of the input; throws a usage error for more than `maxBytes`, whole MiB. */
export async function readBoundedInput(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw usageError(`standard input is longer than ${maxBytes >> 20} MiB`)
    chunks.push(piece)
  }
  return Buffer.concat(chunks).toString('utf8')
}
