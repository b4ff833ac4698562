// `zeno read FILE:1-40`: prints lines of a file, numbered on a terminal.
import type { Host } from '@zee/core/exit'
import { withReader, type ReadingOptions } from '../people.ts'

export interface ReadOptions extends ReadingOptions {
  /** `path`, `path:12`, `path:12-40` or `path:12-`. */
  place: string
  number: boolean
}

const endOfFile = 1_000_000_000

export function runRead(options: ReadOptions, host: Host): Promise<number> {
  const { path, first, last } = parsePlace(options.place)
  const args = { path, start_line: first, end_line: last, max_lines: endOfFile }
  return withReader(options, host, async ({ pages, print, safe, paint, noteNothing }) => {
    const isNumbered = options.number || host.stdout.isTTY === true
    for await (const page of pages('read_file', args)) {
      if (options.json) {
        await print(`${JSON.stringify(page)}\n`)
        continue
      }
      const start = Number(page.start_line)
      const end = Number(page.end_line)
      if (end < start) {
        if (first > 1) noteNothing(`${path} has fewer than ${first} lines`)
        continue
      }
      const lines = safe(String(page.text)).split('\n')
      const width = String(end).length
      const shown = isNumbered
        ? lines.map((line, at) => `${paint.dim(String(start + at).padStart(width))}  ${line}`)
        : lines
      await print(`${shown.join('\n')}\n`)
    }
    return 0
  })
}

/** A range that does not parse is part of the path. */
export function parsePlace(place: string): { path: string; first: number; last: number } {
  const found = /^(.+):(\d{1,9})(?:(-)(\d{1,9})?)?$/s.exec(place)
  if (found === null) return { path: place, first: 1, last: endOfFile }
  const [, path = '', from, dash, to] = found
  const first = Math.max(1, Number(from))
  if (dash === undefined) return { path, first, last: first }
  return { path, first, last: to === undefined ? endOfFile : Number(to) }
}
