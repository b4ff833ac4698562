// A small terminal emulator: what a person sees after the bytes of a program. Knows the sequences that
// zee uses: cursor movement, erasing, colours (ignored) and modes (ignored).

export class ScreenText {
  readonly #rows: string[][] = [[]]
  readonly #columns: number
  #row = 0
  #column = 0
  #rest = ''

  constructor(columns: number) {
    this.#columns = columns
  }

  write(text: string): void {
    let input = this.#rest + text
    this.#rest = ''
    while (input !== '') {
      // oxlint-disable-next-line no-control-regex
      const sequence = /^\u001b\[([?>=<]?)([0-9;]*)([@-~])/.exec(input)
      if (sequence !== null) {
        if (sequence[1] === '') this.#control(sequence[3] ?? '', Number(sequence[2] || 0))
        input = input.slice(sequence[0].length)
      } else if (input.startsWith('\u001b')) {
        if (input.length < 16) {
          this.#rest = input
          return
        }
        input = input.slice(1)
      } else {
        const [character = ''] = input
        this.#put(character)
        input = input.slice(character.length)
      }
    }
  }

  /** All rows since the start, without spaces at their ends. */
  text(): string {
    return this.#rows
      .map((row) =>
        Array.from(row, (each) => each ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0
    else if (character === '\n') this.#row += 1
    else if (character >= ' ') {
      if (this.#column >= this.#columns) {
        this.#row += 1
        this.#column = 0
      }
      this.#line()[this.#column++] = character
    }
    this.#line()
  }

  #line(): string[] {
    while (this.#rows.length <= this.#row) this.#rows.push([])
    return this.#rows[this.#row] ?? []
  }

  #control(code: string, value: number): void {
    const count = Math.max(1, value)
    if (code === 'A') this.#row = Math.max(0, this.#row - count)
    else if (code === 'B') this.#row += count
    else if (code === 'C') this.#column += count
    else if (code === 'D') this.#column = Math.max(0, this.#column - count)
    else if (code === 'J' && value === 0) {
      this.#line().length = Math.min(this.#line().length, this.#column)
      this.#rows.length = this.#row + 1
    } else if (code === 'K') this.#line().length = Math.min(this.#line().length, this.#column)
  }
}
