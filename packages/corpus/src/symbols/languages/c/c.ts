// C and C++: functions, types, namespaces and macros; with all detail also variables, members and
// enumerators. Declarations of functions count in headers, and in classes everywhere.
import { walkBlocks, hasAssignment } from '../../blocks.ts'
import type { BlockLanguage, Context, Piece } from '../../blocks.ts'
import { closingAngle, commaPieces } from '../../brackets.ts'
import { declaredNames, functionName, typeHead } from './heads.ts'
import type { SymbolSink } from '../../sink.ts'

export { preprocess } from './preprocess.ts'

export interface CFlavour {
  /** Classes, namespaces, templates. */
  plus: boolean
  /** Declarations are what the file is for. */
  header: boolean
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
    const text = cleaned(head.text)
    if (/\bextern\s*"\s*"\s*$/.test(text)) return 'top'
    if (hasAssignment(text)) {
      this.#addVariables({ ...head, text: text.slice(0, text.indexOf('=')) })
      return 'code'
    }
    const type = typeHead(text)
    const name = type?.certain === true ? undefined : functionName(text)
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
    const text = cleaned(piece.text)
    const cut = { ...piece, text }
    // A macro without a semicolon may stand before it.
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
    if (name === undefined) return this.#addVariables(cut)
    const inClass = piece.context === 'type' && this.#flavour.plus
    const counts = inClass || (this.#flavour.header && piece.context === 'top')
    if (counts && name.plain)
      this.#sink.add(inClass ? 'method' : 'function', name.name, piece.at + name.at)
    else if (!name.plain) this.#addVariables(cut)
  }

  tail(piece: Piece, head: string): void {
    if (/\btypedef\b/.test(head)) this.#addTypedef(piece.text, piece.at)
    else if (/[A-Za-z_]/.test(piece.text))
      this.#addVariables({ ...piece, text: `${piece.text}` }, true)
  }

  names(body: Piece): number {
    if (this.#sink.wantsAll) {
      for (const { text, at } of commaPieces(body.text, this.#sink)) {
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

  /** Fields in a type, variables elsewhere; `bare` when the type stands before the piece. */
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

/** The same length without attributes, access labels and template heads. */
function cleaned(text: string): string {
  let clean = text
  if (mayHoldAttribute.test(clean)) clean = clean.replace(attribute, spaces)
  if (hasSingleColon(clean)) clean = clean.replace(label, spaces)
  if (clean.includes('=')) clean = clean.replace(value, spaces)
  if (!clean.includes('template')) return clean
  for (let found = templateHead.exec(clean); found !== null; found = templateHead.exec(clean)) {
    const angle = found.index + found[0].length - 1
    const end = closingAngle(clean, angle)
    const to = end === angle ? angle + 1 : end
    clean = clean.slice(0, found.index) + ' '.repeat(to - found.index) + clean.slice(to)
  }
  return clean
}

/** One that is no half of `::`; only behind those a label can be. */
function hasSingleColon(text: string): boolean {
  let at = text.indexOf(':')
  while (at !== -1 && text.charCodeAt(at + 1) === 0x3a) at = text.indexOf(':', at + 2)
  return at !== -1
}

/** Without one of these a statement declares variables at most. */
const mayDefine = /\(|typedef|using/
