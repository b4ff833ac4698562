// Writes bytes completely, across partial writes: a full disk may accept a part without an error, and the
// next write then throws.
import { writeSync } from 'node:fs'

export function writeFully(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
}

export function writeFullyAt(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written)
  }
}
