// A sum that shows whether bytes are those that were written. Four numbers run beside each other, for speed;
// every step can be turned back, so a change in one place always shows.
import type { Kernel } from '../../kernel/kernel.ts'

const factor = 0x01000193
type Parts = readonly [number, number, number, number]
const start: Parts = [0x811c9dc5, 0x2545f491, 0x9e3779b1, 0x7f4a7c15]

export class Sum {
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
    return textOf(this.#parts)
  }
}

/** The sum of what lies at an address, by the kernel; `scratch` is the address of sixteen bytes. */
export function sumAt(kernel: Kernel, address: number, bytes: number, scratch: number): string {
  const parts = new Int32Array(kernel.memory.buffer, scratch, 4)
  parts.set(start)
  kernel.addToSums(address, address + bytes, scratch)
  return textOf([...parts])
}

function textOf(parts: readonly number[]): string {
  return parts.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

export function sumOf(words: Int32Array): string {
  const sum = new Sum()
  sum.add(words)
  return sum.text
}
