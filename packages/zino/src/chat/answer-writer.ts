// Prints an answer piece by piece. An answer that starts again, because its turn was resumed, is printed
// from where the first attempt ended; if it has become another one, from its start on a new line.
import { terminalSafeText } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import type { MarkdownWriter } from '@zee/core/markdown'

/** Renders Markdown on a terminal; other outputs get the text as it is. */
export async function openAnswerWriter({ stdout, env }: Host): Promise<AnswerWriter> {
  if (stdout.isTTY !== true || env.TERM === 'dumb') return new AnswerWriter(stdout)
  const { MarkdownWriter } = await import('@zee/core/markdown')
  return new AnswerWriter(stdout, new MarkdownWriter(stdout, env))
}

export class AnswerWriter {
  readonly #stdout: NodeJS.WriteStream
  readonly #markdown: MarkdownWriter | undefined
  #pendingSurrogate = ''
  #isMidLine = false
  #printed = ''
  /** What the first attempt printed and the resumed one has not repeated yet. */
  #expected = ''
  #repeated = ''

  constructor(stdout: NodeJS.WriteStream, markdown?: MarkdownWriter) {
    this.#stdout = stdout
    this.#markdown = markdown
  }

  /** The next pieces start the answer again. */
  restart(): void {
    this.#expected = this.#printed
    this.#repeated = ''
  }

  async write(text: string): Promise<void> {
    const fresh = this.#withoutRepetition(text)
    this.#printed += fresh
    const pending = this.#pendingSurrogate + fresh
    // Half of a surrogate pair would be printed as a replacement character.
    const end = isHighSurrogate(pending.charCodeAt(pending.length - 1))
      ? pending.length - 1
      : pending.length
    this.#pendingSurrogate = pending.slice(end)
    await this.#print(pending.slice(0, end))
  }

  async end(text = ''): Promise<void> {
    const rest = this.#pendingSurrogate
    this.#pendingSurrogate = ''
    await this.#print(`${rest}${text}\n`)
    await this.#markdown?.end()
    this.#isMidLine = false
  }

  /** Ends a partial line, so that an error message starts on a fresh one. */
  async endLine(): Promise<void> {
    if (this.#isMidLine) await this.end()
  }

  #withoutRepetition(text: string): string {
    if (this.#expected === '') return text
    const length = Math.min(text.length, this.#expected.length)
    this.#repeated += text.slice(0, length)
    if (this.#expected.startsWith(text.slice(0, length))) {
      this.#expected = this.#expected.slice(length)
      return text.slice(length)
    }
    this.#expected = ''
    const whole = this.#repeated + text.slice(length)
    this.#printed = ''
    return this.#isMidLine ? `\n${whole}` : whole
  }

  async #print(text: string): Promise<void> {
    if (text === '') return
    this.#isMidLine = !text.endsWith('\n')
    if (this.#markdown !== undefined) {
      await this.#markdown.write(text)
    } else if (!this.#stdout.write(terminalSafeText(this.#stdout)(text))) {
      await new Promise<void>((resolve) => this.#stdout.once('drain', resolve))
    }
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
