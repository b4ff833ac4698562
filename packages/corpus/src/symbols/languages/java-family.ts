// Java and C#: types and methods; with all detail also fields, properties, events and constants.
import { hasAssignment, walkBlocks } from '../blocks.ts'
import type { BlockLanguage, Context, Piece } from '../blocks.ts'
import { closing, closingAngle, commaPieces } from '../brackets.ts'
import { marksOf, wordChars } from '../marks.ts'
import type { SymbolSink } from '../sink.ts'

export function addJava(sink: SymbolSink, text: string, bytes: Buffer): void {
  walkBlocks(bytes, text, new JavaLanguage(sink))
}

const typeWord =
  /(?:^|[^\w.@])(class|interface|@\s*interface|enum|record(?:\s+(?:struct|class))?|struct|namespace)\s+([A-Za-z_$\x80-\xff][\w$.\x80-\xff]*)/

const notMethods = new Set(
  'if for foreach while switch catch synchronized try return new throw else do lock using fixed typeof nameof sizeof when base this super'.split(
    ' ',
  ),
)

class JavaLanguage implements BlockLanguage {
  readonly #sink: SymbolSink

  constructor(sink: SymbolSink) {
    this.#sink = sink
  }

  open(head: Piece): Context {
    const text = withoutAttributes(head.text)
    if (hasAssignment(text)) {
      this.#addFields({ ...head, text })
      return 'code'
    }
    const type = typeWord.exec(text)
    if (type !== null) return this.#addType(head.at, type)
    if (head.context !== 'type') return 'code'
    if (!this.#addMethod(head.at, text)) this.#addProperty(head.at, text)
    return 'code'
  }

  statement(piece: Piece): void {
    const text = withoutAttributes(piece.text)
    const type = typeWord.exec(text)
    // `record Point(int X);`, `namespace A.B;`
    if (type !== null && !hasAssignment(text)) this.#addType(piece.at, type)
    else if (/^\s*(?:\w+\s+)*delegate\b/.test(text)) this.#addMethod(piece.at, text, 'delegate')
    else if (piece.context === 'type') this.#addMember(piece, text)
    else if (this.#sink.wantsAll) this.#addPackage(piece.at, text)
  }

  #addPackage(at: number, text: string): void {
    const found = /^\s*package\s+([\w.]+)\s*$/.exec(text)
    if (found === null) return
    const name = found[1] as string
    this.#sink.add('package', name, at + found[0].indexOf(name, found[0].indexOf('package') + 7))
  }

  names(body: Piece): number {
    const semicolon = outerSemicolon(body.text)
    if (this.#sink.wantsAll) {
      for (const { text, at } of commaPieces(body.text.slice(0, semicolon), this.#sink)) {
        const name = /^\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/.exec(withoutAttributes(text))
        if (name === null) continue
        const found = name[1] as string
        this.#sink.add('enumerator', found, body.at + at + name[0].length - found.length)
      }
    }
    return semicolon
  }

  #addType(at: number, type: RegExpExecArray): Context {
    const word = (type[1] as string).replace(/^@\s*/, '').replace(/\s.*/s, '')
    const name = type[2] as string
    this.#sink.add(word, name, at + type.index + type[0].length - name.length)
    if (word === 'namespace') return 'top'
    return word === 'enum' ? 'enum' : 'type'
  }

  #addMember(piece: Piece, text: string): void {
    const arrow = text.indexOf('=>')
    const own = arrow === -1 ? text : text.slice(0, arrow)
    if (hasAssignment(own)) this.#addFields({ ...piece, text })
    else if (!this.#addMethod(piece.at, own)) {
      if (arrow === -1) this.#addFields({ ...piece, text })
      else this.#addProperty(piece.at, own)
    }
  }

  /** `Type name<T>(...)`; the first name before a parenthesis. */
  #addMethod(at: number, text: string, kind = 'method'): boolean {
    const found = calledName(text)
    if (found === undefined || notMethods.has(found.name)) return false
    this.#sink.add(kind, found.name.replace(/\s+/g, ' '), at + found.at)
    return true
  }

  /** The last name of a head without parentheses. */
  #addProperty(at: number, text: string): void {
    if (!this.#sink.wantsAll) return
    const found = lastName(text, text.length)
    if (found === undefined || notMethods.has(found.name) || !isTyped(text, found.at)) return
    this.#sink.add('property', found.name, at + found.at)
  }

  #addFields(piece: Piece): void {
    if (!this.#sink.wantsAll || piece.context !== 'type') return
    let first = true
    for (const { text, at } of commaPieces(withoutAngles(piece.text), this.#sink)) {
      const found = lastName(text, declaratorEnd(text))
      if (found !== undefined && (!first || isTyped(text, found.at))) {
        this.#sink.add('field', found.name, piece.at + at + found.at)
      }
      first = false
    }
  }
}

interface Named {
  name: string
  at: number
}

const called =
  /((?:operator\s*)?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|operator\s*[^\s\w(]+)\s*(?:<(?:[^<>()]|<[^<>()]*>)*>\s*)?\(/

/** The first name that a parenthesis follows, perhaps behind type parameters. */
function calledName(text: string): Named | undefined {
  const open = text.indexOf('(')
  if (open === -1) return undefined
  const plain = lastName(text, open)
  if (plain !== undefined && !text.includes('operator')) return plain
  const found = called.exec(text)
  return found === null ? undefined : { name: found[1] as string, at: found.index }
}

/** The name that ends before `end`, white space apart. */
function lastName(text: string, end: number): Named | undefined {
  let to = end
  while (to > 0 && isSpace(text.charCodeAt(to - 1))) to--
  let at = to
  while (at > 0 && nameCodes[text.charCodeAt(at - 1)] === 1) at--
  while (at < to && isDigit(text.charCodeAt(at))) at++
  return at === to ? undefined : { name: text.slice(at, to), at }
}

/** Whether white space and the end of a type stand before this place. */
function isTyped(text: string, at: number): boolean {
  let before = at
  while (before > 0 && isSpace(text.charCodeAt(before - 1))) before--
  return before > 0 && before < at && typeEnds[text.charCodeAt(before - 1)] === 1
}

/** Where the value or the dimensions begin that stand behind a name. */
function declaratorEnd(text: string): number {
  const value = text.indexOf('=')
  const end = value === -1 ? text.length : value
  if (!text.includes(']')) return end
  return text.slice(0, end).replace(/\[[^\]]*\]\s*$/, '').length
}

const nameCodes = marksOf(`${wordChars}$`, 1)
const typeEnds = marksOf(`${wordChars}$>]?`, 1)

const isSpace = (code: number): boolean => code === 0x20 || (code >= 9 && code <= 13)
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Annotations and attributes blanked, so that their parentheses mislead nobody. */
function withoutAttributes(text: string): string {
  if (!text.includes('@') && !text.includes('[')) return text
  let clean = text
  for (const found of text.matchAll(
    /@(?!\s*interface\b)[\w.]+\s*(\()?|(?:^|[{};\]\n])\s*(\[)(?=\s*[A-Za-z])/g,
  )) {
    const end = found.index + found[0].length
    const bracket = found[1] !== undefined || found[2] !== undefined
    const from = found[2] === undefined ? found.index : end - 1
    const to = bracket ? closing(clean, end - 1) : end
    clean = clean.slice(0, from) + ' '.repeat(to - from) + clean.slice(to)
  }
  return clean
}

function withoutAngles(text: string): string {
  let clean = text
  for (let at = clean.indexOf('<'); at !== -1; at = clean.indexOf('<', at + 1)) {
    const end = closingAngle(clean, at)
    if (end > at) clean = clean.slice(0, at) + ' '.repeat(end - at) + clean.slice(end)
  }
  return clean
}

/** Offset of the semicolon behind the constants; the length when there is none. */
function outerSemicolon(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x28 || char === 0x5b || char === 0x7b) at = closing(text, at) - 1
    else if (char === 0x3b) return at
  }
  return text.length
}
