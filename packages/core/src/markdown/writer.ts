// Writes Markdown to a terminal as it arrives: final rows stay, the unfinished end is drawn below them
// and redrawn with every piece. For programs that write nothing else meanwhile.
import { coloursFor, wantsColour } from '../cli/colour.ts'
import { streamWriter } from '../cli/lossless.ts'
import { styledWidth } from '../text/styled-text.ts'
import { MarkdownStream } from './stream.ts'

const maxTailRows = 8

export class MarkdownWriter {
  readonly #stream: NodeJS.WriteStream
  readonly #markdown: MarkdownStream
  readonly #write: (text: string) => Promise<void>
  #tail: readonly string[] = []

  constructor(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream
    this.#write = streamWriter(stream)
    this.#markdown = new MarkdownStream({
      columns: () => stream.columns || 80,
      paint: coloursFor(stream, env),
      hasColour: wantsColour(stream, env),
    })
  }

  write(text: string): Promise<void> {
    const rows = this.#markdown.write(text)
    const erased = this.#erase()
    const room = Math.max(1, Math.min(maxTailRows, (this.#stream.rows || 24) - 2))
    this.#tail = this.#markdown.tail(room)
    return this.#write(erased + rows + this.#tail.join('\n'))
  }

  /** Ends the text; the cursor is then at the start of a line. */
  end(): Promise<void> {
    const erased = this.#erase()
    this.#tail = []
    return this.#write(erased + this.#markdown.end())
  }

  /** Moves to the start of the tail and clears it, also if the terminal has wrapped a row. */
  #erase(): string {
    if (this.#tail.length === 0) return ''
    const columns = Math.max(1, this.#stream.columns || 80)
    const rows = this.#tail.reduce(
      (sum, row) => sum + Math.max(1, Math.ceil(styledWidth(row) / columns)),
      0,
    )
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`
  }
}
