// Writes a text completely, across partial writes.
import { writeSync } from 'node:fs'

export function writeFully(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  // A full disk may accept a part without an error; the next write then throws.
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
}
