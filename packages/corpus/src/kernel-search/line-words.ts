// The words that the kernel's `findLines` writes for a line: its number, and the offsets of its start, its end and the
// match.
export const wordsPerLine = 4
export const lineBytes = wordsPerLine * 4

/** Stands for the offset of a match that is not known. */
export const unknownOffset = 0xffffffff
