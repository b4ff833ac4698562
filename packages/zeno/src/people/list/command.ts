// `zeno list GLOB`: prints the paths that match, one per line.
import type { Host } from '@zee/core/exit'
import { withReader, type ReadingOptions } from '../people.ts'

export interface ListOptions extends ReadingOptions {
  glob: string | undefined
  max: number
}

export function runList(options: ListOptions, host: Host): Promise<number> {
  const { glob, max, json } = options
  const args = { max, ...(glob === undefined ? {} : { glob }) }
  return withReader(options, host, async ({ pages, print, safe, note, noteNothing }) => {
    let count = 0
    for await (const page of pages('list_files', args)) {
      const files = Array.isArray(page.files) ? page.files.map(String) : []
      count += files.length
      const lines = files.map((path) => (json ? JSON.stringify({ path }) : safe(path)))
      await print(lines.map((line) => `${line}\n`).join(''))
      if (page.truncated === true && page.next_cursor === undefined) {
        note(`there are more files than ${max}; --max <n> prints more`)
      }
    }
    if (count === 0) noteNothing(glob === undefined ? 'there are no files' : 'no file matches')
    return 0
  })
}
