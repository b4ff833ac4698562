// C and C++: functions, types, namespaces and macros; in full detail also variables, members and
// enumerators. Function declarations count in headers, and in classes everywhere.
import { walkBlocks, hasAssignment } from '../../blocks.ts'
import type { BlockLanguage, Context, Piece } from '../../blocks.ts'
import { afterClosingAngle, splitAtCommas } from '../../brackets.ts'
import { declaredNames, functionName, typeHead } from './heads.ts'
import type { SymbolSink } from '../../sink.ts'

export { preprocess } from './preprocess.ts'

export interface CFlavour {
  /** C++: classes, namespaces, templates. */
  isCpp: boolean
  /** A header, in which declarations count. */
  isHeader: boolean
}

export function addC(sink: SymbolSink, bytes: Buffer, text: string, flavour: CFlavour): void {
  walkBlocks(bytes, text, new CLanguage(sink, flavour))
}

class CLanguage implements BlockLanguage {
  readonly #sink: SymbolSink
  readonly #flavour: CFlavour

  constructor(sink: SymbolSink, flavour: CFlavour) {
    this.#sink = sink
    this.#flavour = flavour
  }

  open(head: Piece): Context {
    const text = stripped(head.text)
    if (/\bextern\s*"\s*"\s*$/.test(text)) return 'top'
    if (hasAssignment(text)) {
      this.#addVariables({ ...head, text: text.slice(0, text.indexOf('=')) })
      return 'code'
    }
    const type = typeHead(text)
    const name = type?.isCertain === true ? undefined : functionName(text)
    if (name !== undefined) {
      const kind = head.context === 'type' ? 'method' : 'function'
      this.#sink.add(kind, name.name, head.at + name.at)
      return 'code'
    }
    if (type === undefined) {
      // `int x{1};` is a field with a value.
      if (head.context === 'type') this.#addVariables({ ...head, text })
      return 'code'
    }
    if (type.kind === 'namespace') {
      for (const { name: part, at } of type.path) this.#sink.add('namespace', part, head.at + at)
      return 'top'
    }
    if (type.name !== '') this.#sink.add(type.kind, type.name, head.at + type.at)
    return type.kind === 'enum' ? 'enum' : 'type'
  }

  statement(piece: Piece): void {
    if (!this.#sink.wantsAll && !mayDefine.test(piece.text)) return
    const text = stripped(piece.text)
    const strippedPiece = { ...piece, text }
    // A macro without a semicolon may precede it.
    const typedef = text.includes('typedef') ? /(?:^|\n)[ \t]*typedef\b/.exec(text) : null
    if (typedef !== null) {
      const from = typedef.index + typedef[0].length
      return this.#addTypedef(text.slice(from), piece.at + from)
    }
    const alias = /^\s*using\s+([A-Za-z_]\w*)\s*=/.exec(text)
    if (alias !== null) {
      const name = alias[1] as string
      this.#sink.add('using', name, piece.at + alias[0].lastIndexOf(name))
      return
    }
    if (
      /^\s*(?:using|friend|static_assert|_Static_assert|asm|return|goto|extern\s*"|#)\b/.test(text)
    )
      return
    const name = hasAssignment(text) ? undefined : functionName(text)
    if (name === undefined) return this.#addVariables(strippedPiece)
    const inClass = piece.context === 'type' && this.#flavour.isCpp
    const isListed = inClass || (this.#flavour.isHeader && piece.context === 'top')
    if (isListed && name.isFunction)
      this.#sink.add(inClass ? 'method' : 'function', name.name, piece.at + name.at)
    else if (!name.isFunction) this.#addVariables(strippedPiece)
  }

  tail(piece: Piece, head: string): void {
    if (/\btypedef\b/.test(head)) this.#addTypedef(piece.text, piece.at)
    else if (/[A-Za-z_]/.test(piece.text))
      this.#addVariables({ ...piece, text: `${piece.text}` }, true)
  }

  enumerators(body: Piece): number {
    if (this.#sink.wantsAll) {
      for (const { text, at } of splitAtCommas(body.text, this.#sink)) {
        const name = /^\s*([A-Za-z_]\w*)/.exec(text)
        if (name === null) continue
        const found = name[1] as string
        this.#sink.add('enumerator', found, body.at + at + name[0].length - found.length)
      }
    }
    return body.text.length
  }

  #addTypedef(text: string, at: number): void {
    for (const name of declaredNames(text, false, this.#sink))
      this.#sink.add('typedef', name.name, at + name.at)
  }

  /** Adds fields in a type and variables elsewhere. `bare`: the type is not in the piece. */
  #addVariables(piece: Piece, bare = false): void {
    if (!this.#sink.wantsAll) return
    if (/^\s*extern\b/.test(piece.text) && piece.context === 'top') return
    const kind = piece.context === 'type' ? 'field' : 'variable'
    for (const name of declaredNames(piece.text, !bare, this.#sink)) {
      this.#sink.add(kind, name.name, piece.at + name.at)
    }
  }
}

const attribute =
  /\b(?:__attribute__|__attribute|__declspec|__asm__|__asm|asm|alignas|_Alignas|__extension__|__printflike|__nonnull|explicit|requires)\b\s*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?|\[\[[^\]]*\]\]/g
const mayHoldAttribute = /__|\[\[|asm|alignas|_Alignas|requires|explicit/
const label = /(?<![:\w])(?:public|private|protected|signals|Q_SIGNALS)\s*(?:\w+\s*)?:(?!:)/g
const value = /=\s*(?:default|delete|0)\s*$/
const templateHead = /\btemplate\s*</

const spaces = (found: string): string => ' '.repeat(found.length)

/** Blanks attributes, access labels and template heads, keeping the length. */
function stripped(text: string): string {
  let clean = text
  if (mayHoldAttribute.test(clean)) clean = clean.replace(attribute, spaces)
  if (hasSingleColon(clean)) clean = clean.replace(label, spaces)
  if (clean.includes('=')) clean = clean.replace(value, spaces)
  if (!clean.includes('template')) return clean
  for (let found = templateHead.exec(clean); found !== null; found = templateHead.exec(clean)) {
    const angle = found.index + found[0].length - 1
    const end = afterClosingAngle(clean, angle)
    const endOffset = end === angle ? angle + 1 : end
    clean =
      clean.slice(0, found.index) + ' '.repeat(endOffset - found.index) + clean.slice(endOffset)
  }
  return clean
}

/** Whether a colon occurs that is not part of `::`, as in a label. */
function hasSingleColon(text: string): boolean {
  let at = text.indexOf(':')
  while (at !== -1 && text.charCodeAt(at + 1) === 0x3a) at = text.indexOf(':', at + 2)
  return at !== -1
}

/** A statement without one of these declares only variables. */
const mayDefine = /\(|typedef|using/
