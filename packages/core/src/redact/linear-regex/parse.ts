// Parses a JavaScript regular expression into a tree. V8 has checked the syntax before; constructs that
// need backtracking (look-around, backreferences) are refused with their position.

export type Node =
  | { type: 'empty' }
  /** The source of one character: a literal, an escape or a class. */
  | { type: 'char'; source: string }
  | { type: 'assert'; kind: '^' | '$' | 'b' | 'B' }
  | { type: 'sequence' | 'choice'; items: Node[] }
  | { type: 'repeat'; item: Node; min: number; max: number; isLazy: boolean }

/** A construct that the linear-time engine does not support; `index` counts characters from 0. */
export interface Refusal {
  index: number
  what: string
}

class Refused extends Error {
  readonly refusal: Refusal
  constructor(index: number, what: string) {
    super(what)
    this.refusal = { index, what }
  }
}

export function parseLinear(source: string): Node | Refusal {
  try {
    return new Parser(source).parse()
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

export function isRefusal(result: Node | Refusal): result is Refusal {
  return 'what' in result
}

const escape =
  /\\(?:p\{[^}]*\}|P\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)/suy
const charClass = /\[(?:\\.|[^\]\\])*\]/suy
const quantifier = /([*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/y

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): Node {
    const node = this.#choice()
    if (this.#at < this.#source.length) throw new Refused(this.#at, "an unmatched ')'")
    return node
  }

  #choice(): Node {
    const items = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      items.push(this.#sequence())
    }
    return items.length === 1 ? (items[0] ?? { type: 'empty' }) : { type: 'choice', items }
  }

  #sequence(): Node {
    const items: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      items.push(this.#quantified())
    }
    return { type: 'sequence', items }
  }

  #quantified(): Node {
    const item = this.#atom()
    quantifier.lastIndex = this.#at
    const found = quantifier.exec(this.#source)
    if (found === null) return item
    this.#at = quantifier.lastIndex
    const [, sign = '', least = '', comma, most = '', lazy] = found
    const min = sign === '*' || sign === '?' ? 0 : sign === '+' ? 1 : Number(least)
    const open = comma !== undefined && most === ''
    const max = sign === '?' ? 1 : '*+'.includes(sign) || open ? Infinity : Number(most || least)
    return { type: 'repeat', item, min, max, isLazy: lazy === '?' }
  }

  #atom(): Node {
    const start = this.#at
    const character = this.#source[start] ?? ''
    if (character === '(') return this.#group()
    if (character === '^' || character === '$') {
      this.#at++
      return { type: 'assert', kind: character }
    }
    if (character === '\\') return this.#escape()
    const length = character === '[' ? this.#lengthOf(charClass) : character.length
    const point = this.#source.codePointAt(start) ?? 0
    this.#at += point > 0xffff && character !== '[' ? 2 : length
    return { type: 'char', source: this.#source.slice(start, this.#at) }
  }

  #group(): Node {
    const start = this.#at
    const [open = ''] = /^\((?:\?:|\?<[A-Za-z_$][\w$]*>)?/.exec(this.#source.slice(start)) ?? []
    if (open === '(' && this.#source[start + 1] === '?') {
      throw new Refused(start, 'a look-around or another special group')
    }
    this.#at += open.length
    const node = this.#choice()
    if (this.#source[this.#at] !== ')') throw new Refused(start, 'an unclosed group')
    this.#at++
    return node
  }

  #escape(): Node {
    const start = this.#at
    const next = this.#source[start + 1] ?? ''
    if (/[1-9k]/.test(next)) throw new Refused(start, 'a backreference')
    this.#at += this.#lengthOf(escape)
    if (next === 'b' || next === 'B') return { type: 'assert', kind: next }
    return { type: 'char', source: this.#source.slice(start, this.#at) }
  }

  #lengthOf(expression: RegExp): number {
    expression.lastIndex = this.#at
    if (!expression.test(this.#source)) throw new Refused(this.#at, 'an unfinished construct')
    return expression.lastIndex - this.#at
  }
}
