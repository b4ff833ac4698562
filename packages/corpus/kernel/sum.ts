// Checksum of a snapshot's sections in this memory; src/index/snapshot/checksum.ts documents its use.

const sumFactor: u32 = 0x01000193

/** Adds the bytes from `from` to `to`, a multiple of sixteen, to the four words at `sums`. */
export function addToSums(from: usize, to: usize, sums: usize): void {
  if (ASC_FEATURE_SIMD) {
    let four = v128.load(sums)
    for (; from < to; from += 16) {
      four = i32x4.mul(v128.xor(four, v128.load(from)), i32x4.splat(sumFactor))
    }
    v128.store(sums, four)
    return
  }
  for (; from < to; from += 16) {
    for (let word: usize = 0; word < 16; word += 4) {
      store<u32>(sums + word, (load<u32>(sums + word) ^ load<u32>(from + word)) * sumFactor)
    }
  }
}
