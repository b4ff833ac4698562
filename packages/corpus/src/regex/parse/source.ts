// A pattern read token by token, with errors told the way Python tells them: words, then a position
// in code points. A backslash and the character after it are one token.
import { ZeeError } from '@zee/core/errors'
import { pythonRepr } from '../../python-repr.ts'

export class PatternSource {
  readonly #chars: string[]
  #index = 0
  /** The token to come, undefined at the end. */
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

  /** Position of the token to come. */
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

  /** Takes the token when it is this one. */
  match(token: string): boolean {
    if (this.next !== token) return false
    this.#advance()
    return true
  }

  /** Takes up to `count` tokens out of `allowed`. */
  takeWhile(count: number, allowed: RegExp): string {
    let taken = ''
    while (taken.length < count && this.next !== undefined && allowed.test(this.next)) {
      taken += this.take()
    }
    return taken
  }

  /** Takes everything up to a terminator, which is taken too; `what` names it in errors. */
  takeUntil(terminator: string, what: string): string {
    let taken = ''
    for (;;) {
      const token = this.take()
      if (token === undefined) {
        if (taken === '') throw this.error(`missing ${what}`)
        throw this.error(`missing ${terminator}, unterminated name`, codePoints(taken))
      }
      if (token !== terminator) taken += token
      else if (taken === '') throw this.error(`missing ${what}`, 1)
      else return taken
    }
  }

  /** A group name just taken must be an identifier. */
  checkGroupName(name: string): void {
    if (/^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(name)) return
    throw this.error(`bad character in group name ${pythonRepr(name)}`, codePoints(name) + 1)
  }

  /** An error `back` code points before the token to come. */
  error(words: string, back = 0): ZeeError {
    return this.#errorAt(words, this.tell() - back)
  }

  errorAt(words: string, position: number): ZeeError {
    return this.#errorAt(words, position)
  }

  #errorAt(words: string, position: number): ZeeError {
    const before = this.#chars.slice(0, position)
    const line = before.filter((char) => char === '\n').length + 1
    const column = position - before.lastIndexOf('\n')
    const where = this.#chars.includes('\n') ? ` (line ${line}, column ${column})` : ''
    return new ZeeError('regex', `${words} at position ${position}${where}`)
  }
}

export function codePoints(text: string): number {
  return Array.from(text).length
}
