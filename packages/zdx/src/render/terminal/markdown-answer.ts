// The answer on a terminal: rendered Markdown, with its unfinished end in the live region. Text is
// rendered in frames and in slices, so that keys are handled while a long answer arrives.
import { coloursFor, wantsColour } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import type { MarkdownStream } from '@zee/core/markdown'
import type { Screen } from '../../terminal/terminal.ts'
import type { AnswerOutput } from '../answer-output.ts'

/** Text that is rendered without a look at the clock. */
const sliceLength = 1024
/** More text does not wait for the next frame. */
const maxWaitingLength = 4096
const frameMs = 16
/** Time for rendering before keys are handled. */
const sliceMs = 4

export class MarkdownAnswer implements AnswerOutput {
  readonly #host: Host
  readonly #screen: Screen
  readonly #loading: Promise<MarkdownStream>
  #markdown: MarkdownStream | undefined
  #incoming = ''
  #timer: NodeJS.Timeout | undefined
  #isEmpty = true

  constructor(host: Host, screen: Screen) {
    this.#host = host
    this.#screen = screen
    // Loads while the model is being asked.
    this.#loading = import('@zee/core/markdown').then(({ MarkdownStream }) => {
      this.#markdown = new MarkdownStream({
        columns: () => screen.columns,
        paint: coloursFor(host.stdout, host.env),
        hasColour: wantsColour(host.stdout, host.env),
      })
      return this.#markdown
    })
  }

  async write(text: string): Promise<void> {
    if (text === '') return
    this.#isEmpty = false
    this.#incoming += text
    const markdown = this.#markdown ?? (await this.#loading)
    this.#screen.setPart('answer', () => ({
      rows: markdown.tail(Math.max(1, Math.floor(this.#screen.rows / 2))),
    }))
    if (this.#incoming.length >= maxWaitingLength) return this.#renderSlices(markdown)
    this.#timer ??= setTimeout(() => this.#render(markdown, this.#takeIncoming()), frameMs)
    return undefined
  }

  async endLine(): Promise<void> {
    if (this.#isEmpty) return
    const markdown = this.#markdown ?? (await this.#loading)
    await this.#renderSlices(markdown)
    this.#screen.setPart('answer', undefined)
    this.#screen.print(markdown.end())
    this.#isEmpty = true
  }

  isAtLineStart(): boolean {
    return this.#isEmpty
  }

  async #renderSlices(markdown: MarkdownStream): Promise<void> {
    const text = this.#takeIncoming()
    let startedMs = this.#host.clock.monotonicMs()
    for (let start = 0; start < text.length; start += sliceLength) {
      this.#render(markdown, text.slice(start, start + sliceLength))
      if (this.#host.clock.monotonicMs() - startedMs < sliceMs) continue
      await new Promise((resolve) => setImmediate(resolve))
      startedMs = this.#host.clock.monotonicMs()
    }
  }

  #takeIncoming(): string {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#incoming
    this.#incoming = ''
    return text
  }

  #render(markdown: MarkdownStream, text: string): void {
    this.#timer = undefined
    const rows = markdown.write(text)
    if (rows !== '') this.#screen.print(rows)
    else this.#screen.request()
  }
}
