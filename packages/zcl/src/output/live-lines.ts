// Lines at the bottom of a terminal that are redrawn in place, such as one per worker. Silent unless the
// stream is a terminal.
import { withoutControls } from '@zee/core/colour'
import { cutToWidth } from '@zee/core/columns'

type TerminalStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'write'>

export class LiveLines {
  readonly #stream: TerminalStream
  #shown = 0

  constructor(stream: TerminalStream) {
    this.#stream = stream
  }

  get isShown(): boolean {
    return this.#stream.isTTY === true
  }

  /** Replaces the lines. Those that do not fit on the screen are counted in the last line. */
  show(lines: readonly string[]): void {
    if (!this.isShown) return
    // A wrapped line could not be erased.
    const width = Math.max(20, (this.#stream.columns || 80) - 1)
    const room = Math.max(2, (this.#stream.rows || 24) - 2)
    const fitting =
      lines.length <= room
        ? lines
        : [...lines.slice(0, room - 1), `... and ${lines.length - room + 1} more`]
    const text = fitting.map((line) =>
      cutToWidth(withoutControls(line).replaceAll(/[\n\t]/g, ' '), width),
    )
    this.#stream.write(`${this.#erased()}${text.join('\n')}`)
    this.#shown = text.length
  }

  clear(): void {
    if (this.#shown > 0) this.#stream.write(this.#erased())
    this.#shown = 0
  }

  /** Erases line by line up to the first: tmux keeps a screen that is erased at once in its history. */
  #erased(): string {
    if (this.#shown === 0) return ''
    return `\r\u001b[K${'\u001b[A\u001b[K'.repeat(this.#shown - 1)}`
  }
}
