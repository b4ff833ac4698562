// Finds the files that may match: hashes the trigrams of a plan's literals and queries the signatures.
import type { Kernel } from '../../kernel/kernel.ts'
import type { LiteralPlan } from '../../regex/regex.ts'
import type { IndexStore } from './signatures.ts'

/** A bit per file id. */
type FileBits = Uint32Array

export interface Signatures {
  kernel: Kernel
  store: IndexStore
  /** Upper bound of file ids. */
  files: number
}

/** Signed files that may satisfy the plan; undefined for all of them. */
export function findCandidates(plan: LiteralPlan, signatures: Signatures): FileBits | undefined {
  switch (plan.kind) {
    case 'everything':
      return undefined
    case 'literal':
      return literalCandidates(plan.text, signatures)
    case 'any':
      return anyOf(plan.of, signatures)
    case 'all':
      return allOf(plan.of, signatures)
  }
}

function literalCandidates(text: Uint8Array, signatures: Signatures): FileBits | undefined {
  if (text.length < 3) return undefined
  const { kernel, store } = signatures
  const bytes = Array.from(text, toLower)
  const hashes = new Set<number>()
  for (let at = 0; at + 3 <= bytes.length; at++) {
    const [a, b, c] = bytes.slice(at, at + 3) as [number, number, number]
    hashes.add(kernel.trigramHash(a | (b << 8) | (c << 16)) >>> 0)
  }
  const found = emptyBits(signatures)
  store.candidates(Uint32Array.from(hashes), found)
  return found
}

function anyOf(plans: LiteralPlan[], signatures: Signatures): FileBits | undefined {
  const all = emptyBits(signatures)
  for (const plan of plans) {
    const found = findCandidates(plan, signatures)
    if (found === undefined) return undefined
    for (let at = 0; at < all.length; at++) all[at] = (all[at] as number) | (found[at] as number)
  }
  return all
}

function allOf(plans: LiteralPlan[], signatures: Signatures): FileBits | undefined {
  let left: FileBits | undefined
  for (const plan of plans) {
    const found = findCandidates(plan, signatures)
    if (found === undefined || left === undefined) left ??= found
    else for (let at = 0; at < left.length; at++) left[at] = (left[at] as number) & (found[at] ?? 0)
  }
  return left
}

function emptyBits({ files }: Signatures): FileBits {
  return new Uint32Array((files >>> 5) + 1)
}

function toLower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
}

/** Calls `call` for every set bit. */
export function forEachFile(bits: FileBits, call: (id: number) => void): void {
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      call(word * 32 + 31 - Math.clz32(left & -left))
    }
  }
}
