// Exports CSV with one row per call. Cells that a spreadsheet would evaluate as a formula get a
// leading quote.
import { asText, canonicalInput } from '../json/json.ts'
import type { StoredEvent } from '../events/events.ts'
import type { ExportAttempt, ExportSource } from './source.ts'

type Cell = string | number | boolean | undefined

const columns: readonly [string, (event: StoredEvent, of: ExportAttempt) => Cell][] = [
  ['runId', (_, { attempt }) => asText(attempt.runId)],
  ['suiteId', (_, { attempt }) => asText(attempt.suiteId)],
  ['missionId', (_, { attempt }) => asText(attempt.missionId)],
  ['attemptId', (_, { attemptId }) => attemptId],
  ['index', ({ index }) => index],
  ['ts', ({ ts }) => ts],
  ['tool', ({ tool }) => tool],
  ['op', ({ op }) => op],
  ['ok', ({ ok }) => ok],
  ['code', ({ code }) => code],
  ['exitCode', ({ exitCode }) => exitCode],
  ['durationMs', ({ durationMs }) => durationMs],
  ['outBytes', ({ outBytes }) => outBytes],
  ['errBytes', ({ errBytes }) => errBytes],
  ['truncated', ({ isTruncated }) => isTruncated],
  ['input', ({ record }) => canonicalInput(record.input)],
]

export async function* csvText({ attempts }: ExportSource): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\n`
  for (const attempt of attempts) {
    for await (const event of attempt.events()) {
      yield `${columns.map(([, cell]) => csvField(cell(event, attempt))).join(',')}\n`
    }
  }
}

/** The cell in CSV form, quoted if necessary. */
export function csvField(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
