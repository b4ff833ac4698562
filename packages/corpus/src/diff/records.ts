// The lines of two texts as numbers: equal lines have equal numbers, so that a diff compares integers.

/** A text as lines; each keeps its line feed. */
export interface Lines {
  /** Class of each line: equal lines of both texts have the same class. */
  classes: Int32Array
  /** Offset of each line, and the end of the text. */
  offsets: Int32Array
  bytes: Buffer
}

/** Gives lines of several texts their classes. */
export class LineClasses {
  readonly #classes = new Map<string, number>()

  lines(bytes: Buffer): Lines {
    const offsets: number[] = []
    const classes: number[] = []
    for (let at = 0; at < bytes.length;) {
      const feed = bytes.indexOf(0x0a, at)
      const end = feed === -1 ? bytes.length : feed + 1
      offsets.push(at)
      classes.push(this.#classOf(bytes.toString('latin1', at, end)))
      at = end
    }
    offsets.push(bytes.length)
    return { classes: Int32Array.from(classes), offsets: Int32Array.from(offsets), bytes }
  }

  #classOf(line: string): number {
    const known = this.#classes.get(line)
    if (known !== undefined) return known
    this.#classes.set(line, this.#classes.size)
    return this.#classes.size - 1
  }
}
