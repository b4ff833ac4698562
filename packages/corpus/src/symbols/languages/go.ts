// Go: what stands in groups and, with all detail, fields and the methods that interfaces ask for.
import { closing, Effort } from '../brackets.ts'
import type { SymbolSink } from '../sink.ts'

/** Groups such as `type ( ... )`, and members with all detail; the rest is in the table. */
export function addGo(sink: SymbolSink, text: string): void {
  const group = sink.wantsAll ? /\n(type|const|var)[ \t]*\(/g : /\n(type)[ \t]*\(/g
  const effort = new Effort(text, sink)
  for (const match of text.matchAll(group)) {
    const open = match.index + match[0].length - 1
    effort.spend(closing(text, open) - open)
    if (!effort.allowsMore()) return
    addGroup(sink, text, open, match[1] as string)
  }
  if (sink.wantsAll) addMembers(sink, text, effort)
}

/** Names at the beginning of the lines of a group, those inside nested brackets left out. */
function addGroup(sink: SymbolSink, text: string, open: number, kind: string): void {
  for (const { line, at } of outerLines(text, open)) {
    const names =
      /^[ \t]*([A-Za-z_\x80-\xff][\w\x80-\xff]*(?:[ \t]*,[ \t]*[A-Za-z_\x80-\xff][\w\x80-\xff]*)*)/.exec(
        line,
      )
    if (names === null) continue
    for (const name of (names[1] as string).matchAll(/[\w\x80-\xff]+/g)) {
      sink.add(kind, name[0], at + names[0].length - (names[1] as string).length + name.index)
      if (kind === 'type') break
    }
  }
}

const memberLine =
  /^[ \t]*([A-Za-z_\x80-\xff][\w\x80-\xff]*(?:[ \t]*,[ \t]*[A-Za-z_\x80-\xff][\w\x80-\xff]*)*)(?=[ \t]*\(|[ \t]+[\w*[\x80-\xff(<])/

/** Fields of structs and methods of interfaces, also of those inside others. */
function addMembers(sink: SymbolSink, text: string, effort: Effort): void {
  for (const match of text.matchAll(/\b(struct|interface)[ \t]*\{/g)) {
    const kind = match[1] === 'struct' ? 'field' : 'method'
    const open = match.index + match[0].length - 1
    effort.spend(closing(text, open) - open)
    if (!effort.allowsMore()) return
    for (const { line, at } of outerLines(text, open)) {
      const names = memberLine.exec(line)
      if (names === null) continue
      const offset = at + names[0].length - (names[1] as string).length
      for (const name of (names[1] as string).matchAll(/[\w\x80-\xff]+/g)) {
        sink.add(kind, name[0], offset + name.index)
      }
    }
  }
}

/** Lines inside the bracket at `open` that begin in no further bracket. */
function* outerLines(text: string, open: number): Generator<{ line: string; at: number }> {
  const end = closing(text, open) - 1
  let at = open + 1
  while (at < end) {
    const feed = text.indexOf('\n', at)
    const stop = feed === -1 || feed > end ? end : feed
    yield { line: text.slice(at, stop), at }
    at = afterLine(text, at, stop)
  }
}

/** Behind the line, or behind the brackets that it leaves open. */
function afterLine(text: string, at: number, stop: number): number {
  for (let place = at; place < stop; place++) {
    const char = text.charCodeAt(place)
    if (char !== 0x28 && char !== 0x5b && char !== 0x7b) continue
    const close = closing(text, place)
    if (close > stop) {
      const feed = text.indexOf('\n', close)
      return feed === -1 ? text.length : feed + 1
    }
    place = close - 1
  }
  return stop + 1
}
