// `zeno symbols`: prints the definitions of a file, or those of a name in the whole tree.
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { objectsIn, withReader, type Fields, type ReadingOptions } from '../people.ts'

export interface SymbolsOptions extends ReadingOptions {
  /** A file, or a name; everything without it. */
  target: string | undefined
  match: string
  glob: string | undefined
  max: number
}

/** Exits with 1 if nothing was found. */
export function runSymbols(options: SymbolsOptions, host: Host): Promise<number> {
  const { target, match, glob, max, json } = options
  const isFile = target !== undefined && isFileBelow(path.resolve(host.cwd, options.root), target)
  const op = isFile ? 'extract_symbols' : 'symbols'
  const args = isFile
    ? { path: target, max_symbols: max }
    : {
        max_symbols: max,
        ...(target === undefined ? { glob: glob ?? '**' } : { name: target, match }),
        ...(glob === undefined ? {} : { glob }),
      }
  return withReader(options, host, async ({ pages, print, safe, paint, note, noteNothing }) => {
    let count = 0
    for await (const page of pages(op, args)) {
      for (const symbol of objectsIn(page.symbols)) {
        count++
        const { path: file = target, line, kind, name } = symbol as Fields
        const place = `${paint.magenta(safe(String(file)))}:${paint.green(String(line))}`
        const text = `${place}: ${String(kind)} ${paint.bold(safe(String(name)))}`
        await print(`${json ? JSON.stringify({ path: file, ...symbol }) : text}\n`)
      }
      if (page.truncated === true && page.next_cursor === undefined) {
        note(`there are more symbols than ${max}; --max <n> prints more`)
      }
    }
    if (count === 0) noteNothing('no definition found')
    return count === 0 ? 1 : 0
  })
}

function isFileBelow(root: string, name: string): boolean {
  return statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile() === true
}
