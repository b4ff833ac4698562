// Random numbers that repeat for the same seed (mulberry32): for injected faults and for tests.

/** Draws a number from 0 up to, but not including, 1. */
export type Draw = () => number

export function seededRandom(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
