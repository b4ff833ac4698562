// Writes all of a text to a descriptor, or throws why the system did not take it.
import { writeSync } from 'node:fs'

export function writeFully(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  // A full disk can take a part without a word; the next write makes it say why.
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
}
