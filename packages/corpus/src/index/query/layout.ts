// Layout of the memory that the main thread shares with the query threads: a control area, and an item for each text
// to search, in path order.

/** Words of the control area. */
export const Control = {
  /** The next group of items that no thread has claimed. */
  next: 0,
  /** Not 0 once the search needs no more. */
  stop: 1,
  /** Items that the main thread has collected: threads may reuse the memory of their lines. */
  collected: 2,
  /** The main thread waits for the item before this one. */
  awaited: 3,
  /** Published items. A multiple of the group size, unless `complete` is not 0. */
  ready: 4,
  complete: 5,
} as const

export const controlBytes = 64

/** Words of an item: the text and its outcome. */
export const Item = {
  address: 0,
  /** Twice the length, plus 1 for a text of ASCII only. */
  length: 1,
  /** 0 until the text is searched; then the number of lines plus 1, or `notSearched`. */
  outcome: 2,
  /** Address of the lines, in the format of the kernel's `findLines`. */
  lines: 3,
} as const

export const itemWords = 4
export const itemBytes = itemWords * 4

/** Outcome of a text with too many lines, or of a pattern that needs another engine. */
export const notSearched = -1
