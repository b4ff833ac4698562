// `zeno locate`: prints the files and lines that a text is most likely about, best first.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { objectsIn, withReader } from '../people/people.ts'
import type { Fields, Reader, ReadingOptions } from '../people/people.ts'

export interface LocateOptions extends ReadingOptions {
  text: string
  max: number
}

/** Exits with 1 if nothing was found or the request failed. */
export async function runLocate(options: LocateOptions, host: Host): Promise<number> {
  const { text, max, json } = options
  return withReader(options, host, async (reader) => {
    let count = 0
    // A page holds at most `max` files; the next one would go on with the ranking.
    for await (const { results } of reader.pages('locate', { text, max })) {
      for (const row of objectsIn(results).slice(0, max - count)) {
        count++
        const lines = json ? [JSON.stringify(row)] : fitLines([textOf(row, reader)], host.stdout)
        await reader.print(`${lines.join('\n')}\n`)
      }
      if (count >= max) break
    }
    if (count === 0) reader.noteNothing('nothing found for this text')
    return count === 0 ? 1 : 0
  })
}

/** `src/a.ts:3-9,20-31  lock, owner`. */
function textOf({ path, spans, why }: Fields, { safe, paint }: Reader): string {
  const ranges = objectsIn(spans).map(
    ({ start_line: start, end_line: end }) => `${String(start)}-${String(end)}`,
  )
  const at = ranges.length === 0 ? '' : `:${ranges.join(',')}`
  const terms = oneLine((Array.isArray(why) ? why : []).join(', '))
  return `${paint.magenta(safe(oneLine(String(path))))}${paint.green(at)}  ${safe(terms)}`
}
