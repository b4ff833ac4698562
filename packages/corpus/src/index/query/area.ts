// What the thread that answers and those that search share: words by which they steer each other, and an item
// for every text that has to be searched, in the order of the answer.

/** Words of the control area. */
export const Control = {
  /** The next group of items that nobody has taken. */
  next: 0,
  /** Not 0 when nobody needs more. */
  stop: 1,
  /** Items whose lines were taken over: what they took may be used again. */
  taken: 2,
  /** The thread that answers waits for the item before this one. */
  wanted: 3,
  /** Items that are there, whole groups of them; all of them when the next word is not 0. */
  ready: 4,
  complete: 5,
} as const

export const controlBytes = 64

/** Words of an item: the text, then what came of it. */
export const Item = {
  address: 0,
  /** Twice the length, and 1 where no byte is beyond ASCII. */
  length: 1,
  /** 0 before it was searched, then one more than the number of lines, or ELSEWHERE. */
  outcome: 2,
  /** Address of the lines, as the kernel's `findLines` gives them. */
  lines: 3,
} as const

export const itemWords = 4
export const itemBytes = itemWords * 4

/** Instead of an outcome: too many lines, or a pattern that needs another engine. */
export const elsewhere = -1

export const wordsPerLine = 4
export const lineBytes = wordsPerLine * 4

/** In place of where on a line the match is, where that is not known. */
export const noPlace = 0xffffffff
