// Go: names in groups and, in full detail, struct fields and interface methods.
import { afterClosing, WorkBudget } from '../brackets.ts'
import type { SymbolSink } from '../sink.ts'

/**
 * Adds groups such as `type ( ... )` and, in full detail, members; the keyword table covers the
 * rest.
 */
export function addGo(sink: SymbolSink, text: string): void {
  const group = sink.wantsAll ? /\n(type|const|var)[ \t]*\(/g : /\n(type)[ \t]*\(/g
  const budget = new WorkBudget(text, sink)
  for (const match of text.matchAll(group)) {
    const open = match.index + match[0].length - 1
    budget.spend(afterClosing(text, open) - open)
    if (!budget.canContinue()) return
    addGroup(sink, text, open, match[1] as string)
  }
  if (sink.wantsAll) addMembers(sink, text, budget)
}

/** Adds the names at the line starts of a group, outside of nested brackets. */
function addGroup(sink: SymbolSink, text: string, open: number, kind: string): void {
  for (const { line, at } of topLevelLines(text, open)) {
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

/** Adds fields of structs and methods of interfaces, nested ones included. */
function addMembers(sink: SymbolSink, text: string, budget: WorkBudget): void {
  for (const match of text.matchAll(/\b(struct|interface)[ \t]*\{/g)) {
    const kind = match[1] === 'struct' ? 'field' : 'method'
    const open = match.index + match[0].length - 1
    budget.spend(afterClosing(text, open) - open)
    if (!budget.canContinue()) return
    for (const { line, at } of topLevelLines(text, open)) {
      const names = memberLine.exec(line)
      if (names === null) continue
      const offset = at + names[0].length - (names[1] as string).length
      for (const name of (names[1] as string).matchAll(/[\w\x80-\xff]+/g)) {
        sink.add(kind, name[0], offset + name.index)
      }
    }
  }
}

/** Lines inside the bracket at `open` that start outside of nested brackets. */
function* topLevelLines(text: string, open: number): Generator<{ line: string; at: number }> {
  const end = afterClosing(text, open) - 1
  let at = open + 1
  while (at < end) {
    const feed = text.indexOf('\n', at)
    const stop = feed === -1 || feed > end ? end : feed
    yield { line: text.slice(at, stop), at }
    at = afterLine(text, at, stop)
  }
}

/** Offset after the line, or after the brackets that it leaves open. */
function afterLine(text: string, at: number, stop: number): number {
  for (let offset = at; offset < stop; offset++) {
    const char = text.charCodeAt(offset)
    if (char !== 0x28 && char !== 0x5b && char !== 0x7b) continue
    const close = afterClosing(text, offset)
    if (close > stop) {
      const feed = text.indexOf('\n', close)
      return feed === -1 ? text.length : feed + 1
    }
    offset = close - 1
  }
  return stop + 1
}
