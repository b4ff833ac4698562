// Rust: impl blocks named by their type and, in full detail, fields and variants.
import { afterClosing, afterClosingAngle, splitAtCommas, WorkBudget } from '../brackets.ts'
import type { SymbolSink } from '../sink.ts'

export function addRust(sink: SymbolSink, text: string): void {
  for (let at = text.indexOf('impl'); at !== -1; at = text.indexOf('impl', at + 4)) {
    const before = text.slice(Math.max(0, at - 40), at)
    // At the start of a statement; `impl` may also occur in a type.
    if (
      /^[\s<!]/.test(text.charAt(at + 4)) &&
      /(?:^|[{};\n\]])[ \t]*(?:default\s+|unsafe\s+)*$/.test(before)
    ) {
      addImpl(sink, text, at + 4)
    }
  }
  if (sink.wantsAll) addMembers(sink, text)
}

/** Adds `impl<T> Trait<T> for path::Type<T>` under the name of the type without its path. */
function addImpl(sink: SymbolSink, text: string, from: number): void {
  const space = /^\s*/.exec(text.slice(from, from + 100))?.[0].length ?? 0
  const start = text.charAt(from + space) === '<' ? afterClosingAngle(text, from + space) : from
  const brace = text.indexOf('{', start)
  if (brace === -1 || brace - start > 2000) return
  const head = text.slice(start, brace).replace(/\bwhere\b[^]*/, '')
  const target = /\bfor\s+(?!<)([^]*)/.exec(head)
  const type = target === null ? head : (target[1] as string)
  const offset = start + (target === null ? 0 : target.index + target[0].length - type.length)
  const name =
    /^[\s&*(]*(?:(?:mut|dyn|const|'\w+)\s+)*(?:[\w\x80-\xff]+\s*::\s*)*([A-Za-z_\x80-\xff][\w\x80-\xff]*)/.exec(
      type,
    )
  if (name === null) return
  sink.add('impl', name[1] as string, offset + name[0].length - (name[1] as string).length)
}

const body = /\b(struct|enum|union)\s+[A-Za-z_]\w*/g

function addMembers(sink: SymbolSink, text: string): void {
  const budget = new WorkBudget(text, sink)
  for (const match of text.matchAll(body)) {
    let at = match.index + match[0].length
    if (text.charAt(at) === '<') at = afterClosingAngle(text, at)
    const brace = /^[^;{}=]{0,600}?\{/.exec(text.slice(at, at + 700))
    if (brace === null) continue
    const open = at + brace[0].length - 1
    const isEnum = match[1] === 'enum'
    const end = afterClosing(text, open)
    budget.spend(end - open)
    if (!budget.canContinue()) return
    for (const piece of splitAtCommas(text.slice(open + 1, end - 1), sink)) {
      addMember(sink, piece.text, open + 1 + piece.at, isEnum)
    }
  }
}

function addMember(sink: SymbolSink, text: string, at: number, isEnum: boolean): void {
  const lead = String.raw`^\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\s*\([^)]*\))?\s+)?`
  const pattern = isEnum ? `${lead}([A-Za-z_]\\w*)` : `${lead}(?:r#)?([A-Za-z_]\\w*)\\s*:`
  const found = new RegExp(pattern).exec(text)
  if (found === null) return
  const name = found[1] as string
  sink.add(isEnum ? 'variant' : 'field', name, at + found[0].lastIndexOf(name))
}
