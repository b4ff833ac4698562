// Checksum in the manner of FNV-1a over 32-bit words, in four interleaved lanes for speed. Every step is
// invertible, so a change of a single word always changes the result.
import type { Kernel } from '../../kernel/kernel.ts'

const factor = 0x01000193
type Parts = readonly [number, number, number, number]
const start: Parts = [0x811c9dc5, 0x2545f491, 0x9e3779b1, 0x7f4a7c15]

export class Checksum {
  #parts: Parts = start

  /** The number of words must be a multiple of four. */
  add(words: Int32Array): void {
    let [a, b, c, d] = this.#parts
    for (let at = 0; at < words.length; at += 4) {
      a = Math.imul(a ^ (words[at] as number), factor)
      b = Math.imul(b ^ (words[at + 1] as number), factor)
      c = Math.imul(c ^ (words[at + 2] as number), factor)
      d = Math.imul(d ^ (words[at + 3] as number), factor)
    }
    this.#parts = [a, b, c, d]
  }

  get text(): string {
    return toHex(this.#parts)
  }
}

/** The checksum of memory at an address, computed by the kernel; `scratch` is the address of 16 bytes. */
export function checksumAt(
  kernel: Kernel,
  address: number,
  bytes: number,
  scratch: number,
): string {
  const parts = new Int32Array(kernel.memory.buffer, scratch, 4)
  parts.set(start)
  kernel.addToSums(address, address + bytes, scratch)
  return toHex([...parts])
}

function toHex(parts: readonly number[]): string {
  return parts.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

export function checksumOf(words: Int32Array): string {
  const sum = new Checksum()
  sum.add(words)
  return sum.text
}
