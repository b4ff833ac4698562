// The text of one iteration: the model's own words with its calls, and the results of the calls. The two
// are joined for models that continue an assistant turn and for the history, and apart for others.
import type { Message } from '../../wire/wire.ts'
import { responseBlock } from './response-block.ts'
import type { BlockTag } from './stream-parser.ts'

export class TurnText {
  readonly #joined: string[] = []
  readonly #own: string[] = []
  readonly #results: string[] = []

  get calls(): number {
    return this.#results.length
  }

  addText(text: string): void {
    this.#joined.push(text)
    this.#own.push(text)
  }

  /** Returns the block that the caller sees. */
  addCall(tag: BlockTag, content: string, result: string): string {
    const call = `<${tag}>${content}</${tag}>`
    const block = responseBlock(tag, result)
    this.#joined.push(call, block)
    this.#own.push(call)
    this.#results.push(block)
    return block
  }

  /** The text with each result directly after its call. */
  joined(): string {
    return this.#joined.join('')
  }

  toMessage(): Message {
    return {
      role: 'assistant',
      content: this.joined(),
      own_text: this.#own.join(''),
      results: this.#results.join('').trim(),
    }
  }
}
