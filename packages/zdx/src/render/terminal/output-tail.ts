// The last lines of a running command's output, in bounded memory. The turn has hidden secrets in it.
import { StringDecoder } from 'node:string_decoder'

const maxLength = 16 * 1024

export class OutputTail {
  readonly #decoder = new StringDecoder('utf8')
  readonly #maxLines: number
  #text = ''

  constructor(maxLines: number) {
    this.#maxLines = maxLines
  }

  add(chunk: Uint8Array): void {
    // Only the end of a large chunk can be shown.
    const end = chunk.length > maxLength ? chunk.subarray(chunk.length - maxLength) : chunk
    this.#text = (this.#text + this.#decoder.write(Buffer.from(end))).slice(-maxLength)
  }

  lines(): string[] {
    return (
      this.#text
        .split('\n')
        // A carriage return starts the line again, as progress bars do.
        .map((line) => line.trimEnd().split('\r').at(-1) ?? '')
        .filter(Boolean)
        .slice(-this.#maxLines)
    )
  }
}
