// Tokenizer for patterns. A backslash and the character after it are one token. Errors follow
// Python's format: message, then position in code points.
import { ZeeError } from '@zee/core/errors'
import { pythonRepr } from '../../python-repr.ts'

export class PatternSource {
  readonly #chars: string[]
  #index = 0
  /** The next token; undefined at the end. */
  next: string | undefined

  constructor(pattern: string) {
    this.#chars = Array.from(pattern)
    this.#advance()
  }

  #advance(): void {
    const char = this.#chars[this.#index]
    this.next = char
    if (char === undefined) return
    this.#index++
    if (char !== '\\') return
    const escaped = this.#chars[this.#index]
    if (escaped === undefined) throw this.#errorAt('bad escape (end of pattern)', this.#index - 1)
    this.next = char + escaped
    this.#index++
  }

  /** Position of the next token. */
  tell(): number {
    return this.#index - (this.next === undefined ? 0 : Array.from(this.next).length)
  }

  seek(position: number): void {
    this.#index = position
    this.#advance()
  }

  take(): string | undefined {
    const token = this.next
    this.#advance()
    return token
  }

  /** Consumes the next token if it is this one. */
  match(token: string): boolean {
    if (this.next !== token) return false
    this.#advance()
    return true
  }

  /** Consumes up to `count` tokens that match `allowed`. */
  takeWhile(count: number, allowed: RegExp): string {
    let text = ''
    while (text.length < count && this.next !== undefined && allowed.test(this.next)) {
      text += this.take()
    }
    return text
  }

  /** Consumes everything up to and including a terminator. `what` names the text in errors. */
  takeUntil(terminator: string, what: string): string {
    let text = ''
    for (;;) {
      const token = this.take()
      if (token === undefined) {
        if (text === '') throw this.error(`missing ${what}`)
        throw this.error(`missing ${terminator}, unterminated name`, codePointCount(text))
      }
      if (token !== terminator) text += token
      else if (text === '') throw this.error(`missing ${what}`, 1)
      else return text
    }
  }

  /** Throws unless the group name just read is an identifier. */
  checkGroupName(name: string): void {
    if (/^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(name)) return
    throw this.error(`bad character in group name ${pythonRepr(name)}`, codePointCount(name) + 1)
  }

  /** An error located `back` code points before the next token. */
  error(message: string, back = 0): ZeeError {
    return this.#errorAt(message, this.tell() - back)
  }

  errorAt(message: string, position: number): ZeeError {
    return this.#errorAt(message, position)
  }

  #errorAt(message: string, position: number): ZeeError {
    const before = this.#chars.slice(0, position)
    const line = before.filter((char) => char === '\n').length + 1
    const column = position - before.lastIndexOf('\n')
    const where = this.#chars.includes('\n') ? ` (line ${line}, column ${column})` : ''
    return new ZeeError('regex', `${message} at position ${position}${where}`)
  }
}

export function codePointCount(text: string): number {
  return Array.from(text).length
}
