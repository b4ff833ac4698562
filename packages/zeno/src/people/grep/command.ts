// `zeno grep`: prints hits as `path:line:text`, and lines of context as `path-line-text`.
import type { Host } from '@zee/core/exit'
import { objectsIn, withReader, type Fields, type Reader, type ReadingOptions } from '../people.ts'
import { matchFinder, type FindMatches } from './matches.ts'

export interface GrepOptions extends ReadingOptions {
  pattern: string
  paths: readonly string[]
  regex: boolean
  ignoreCase: boolean
  context: number
  max: number
  filesOnly: boolean
}

/** Exits with 1 if nothing was found, like grep. */
export function runGrep(options: GrepOptions, host: Host): Promise<number> {
  const { pattern, paths, regex, ignoreCase, context, max, filesOnly, json } = options
  const args = {
    pattern,
    regex,
    case_sensitive: !ignoreCase,
    max_hits: max,
    ...(paths.length === 0 ? {} : { paths }),
    ...(context === 0 ? {} : { context }),
    ...(filesOnly ? { mode: 'files' } : {}),
  }
  return withReader(options, host, async (reader) => {
    const find = matchFinder(pattern, { regex, ignoreCase })
    const printer = new HitPrinter(reader, find, context > 0)
    let count = 0
    for await (const page of reader.pages('grep', args)) {
      const items = objectsIn(page.hits ?? page.files)
      count += items.length
      if (!json && !filesOnly) await printer.print(items)
      else for (const item of items) await reader.print(lineOf(item, json, reader))
      if (page.truncated === true && page.next_cursor === undefined) {
        reader.note(`there are more hits than ${max}; --max <n> prints more`)
      }
    }
    if (count === 0) reader.noteNothing('nothing matches')
    return count === 0 ? 1 : 0
  })
}

function lineOf(item: Fields, json: boolean, reader: Reader): string {
  return `${json ? JSON.stringify(item) : reader.paint.magenta(pathOf(item, reader))}\n`
}

/** Remembers the last line, so that overlapping context is printed once. */
class HitPrinter {
  readonly #reader: Reader
  readonly #find: FindMatches
  readonly #hasContext: boolean
  #last: { path: string; line: number } | undefined

  constructor(reader: Reader, find: FindMatches, hasContext: boolean) {
    this.#reader = reader
    this.#find = find
    this.#hasContext = hasContext
  }

  async print(hits: readonly Fields[]): Promise<void> {
    const hitLines = new Set(hits.map(({ path, line }) => `${String(line)} ${String(path)}`))
    for (const hit of hits) {
      const path = pathOf(hit, this.#reader)
      const lines = this.#hasContext ? objectsIn(hit.context) : [hit]
      await this.#separate(path, Number(lines[0]?.line))
      for (const { line, text } of lines) {
        if (this.#hasContext && this.#isPrinted(path, Number(line))) continue
        const isHit = hitLines.has(`${String(line)} ${String(hit.path)}`)
        await this.#printLine(path, Number(line), String(text), isHit)
        this.#last = { path, line: Number(line) }
      }
    }
  }

  #isPrinted(path: string, line: number): boolean {
    return this.#last?.path === path && line <= this.#last.line
  }

  /** Divides groups of lines that do not touch. */
  async #separate(path: string, firstLine: number): Promise<void> {
    if (!this.#hasContext || this.#last === undefined) return
    if (!this.#isPrinted(path, firstLine - 1)) await this.#reader.print('--\n')
  }

  #printLine(path: string, line: number, text: string, isHit: boolean): Promise<void> {
    const { paint, print } = this.#reader
    const mark = paint.dim(isHit ? ':' : '-')
    const shown = isHit ? this.#highlighted(text) : this.#reader.safe(text)
    return print(`${paint.magenta(path)}${mark}${paint.green(String(line))}${mark}${shown}\n`)
  }

  #highlighted(text: string): string {
    const { paint, safe } = this.#reader
    let shown = ''
    let end = 0
    for (const [from, to] of this.#find(text)) {
      shown += safe(text.slice(end, from)) + paint.red(safe(text.slice(from, to)))
      end = to
    }
    return shown + safe(text.slice(end))
  }
}

function pathOf({ path }: Fields, { safe }: Reader): string {
  return safe(String(path)).replaceAll('\n', ' ')
}
