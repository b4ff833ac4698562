// `zeno locate`: prints the files and lines that a text is most likely about, best first.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import { terminalSafeWriter } from '@zee/core/lossless'
import { openService } from '../service/service.ts'
import type { ServiceSettings } from '../service/service.ts'

export interface LocateOptions extends ServiceSettings {
  text: string
  max: number
  rev: string | undefined
  json: boolean
}

/** Exits with 1 if nothing was found or the request failed. */
export async function runLocate(options: LocateOptions, host: Host): Promise<number> {
  const { text, max, rev, json } = options
  const { service, close } = await openService(options, host)
  try {
    const args = { text, max, ...(rev === undefined ? {} : { rev }) }
    const answer = await service.answer({ id: 'locate', op: 'locate', args })
    answer.writeTrace()
    if (!answer.outcome.ok) {
      host.stderr.write(`zeno: ${oneLine(answer.outcome.error.message)}\n`)
      return 1
    }
    const { results } = answer.outcome.result
    const rows = Array.isArray(results) ? results.filter(isObject) : []
    const lines = rows.map((row) => (json ? JSON.stringify(row) : textOf(row)))
    await terminalSafeWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
    return rows.length === 0 ? 1 : 0
  } finally {
    await close()
  }
}

/** `src/a.ts:3-9,20-31  lock, owner`. */
function textOf({ path, spans, why }: Record<string, unknown>): string {
  const ranges = (Array.isArray(spans) ? spans.filter(isObject) : []).map(
    ({ start_line: start, end_line: end }) => `${String(start)}-${String(end)}`,
  )
  const at = ranges.length === 0 ? '' : `:${ranges.join(',')}`
  return `${oneLine(String(path))}${at}  ${oneLine((Array.isArray(why) ? why : []).join(', '))}`
}
