// The last lines of a running command's output, redacted, in bounded memory.
import { StringDecoder } from 'node:string_decoder'
import { createRedactor } from '@zee/core/redact'
import type { Host } from '@zee/core/exit'

const maxLength = 16 * 1024

export class OutputTail {
  readonly #decoder = new StringDecoder('utf8')
  readonly #env: Host['env']
  readonly #maxLines: number
  #redactor: ReturnType<typeof createRedactor> | undefined
  #text = ''

  constructor(env: Host['env'], maxLines: number) {
    this.#env = env
    this.#maxLines = maxLines
  }

  add(chunk: Uint8Array): void {
    // Only the end of a large chunk can be shown.
    const end = chunk.length > maxLength ? chunk.subarray(chunk.length - maxLength) : chunk
    this.#text = (this.#text + this.#decoder.write(Buffer.from(end))).slice(-maxLength)
  }

  lines(): string[] {
    const lines = this.#text
      .split('\n')
      // A carriage return starts the line again, as progress bars do.
      .map((line) => line.trimEnd().split('\r').at(-1) ?? '')
      .filter(Boolean)
      .slice(-this.#maxLines)
    if (lines.length === 0) return []
    this.#redactor ??= createRedactor({ environment: this.#env })
    return this.#redactor.text(lines.join('\n')).text.split('\n')
  }
}
