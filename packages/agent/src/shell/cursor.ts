// A position in the text of a shell command, and the failure for text that the parser does not know.

/** Thrown inside the parser only; `parseShell` turns it into undefined. */
export class UnparsableShell extends Error {}

export class Cursor {
  readonly text: string
  pos = 0

  constructor(text: string) {
    this.text = text
  }

  /** The next character, which is not skipped; empty at the end. */
  peek(): string {
    return this.text[this.pos] ?? ''
  }

  startsWith(piece: string): boolean {
    return this.text.startsWith(piece, this.pos)
  }

  /** Skips the piece if the text continues with it. */
  take(piece: string): boolean {
    if (!this.startsWith(piece)) return false
    this.pos += piece.length
    return true
  }

  /** The next character; fails at the end. */
  next(): string {
    const character = this.text[this.pos++]
    if (character === undefined) throw new UnparsableShell()
    return character
  }

  isAtEnd(): boolean {
    return this.pos >= this.text.length
  }
}
