// Formats the report of a replay.
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { counted } from '../../text/text.ts'
import type { ReplayReport } from './play.ts'
import type { ModelReplay } from './with-model.ts'

const maxShownBytes = 2000

export function reportText(id: string, report: ReplayReport, format: string): string {
  return format === 'json' ? reportJson(id, report) : reportLines(id, report)
}

export function modelReplayText(id: string, report: ModelReplay, format: string): string {
  const { recordedRun, modelRun, outRoot } = report
  if (format === 'json') {
    const runs = { recorded_run: recordedRun, model_run: modelRun, out_root: outRoot }
    return `${JSON.stringify({ id, ...runs })}\n`
  }
  return (
    `recorded run  ${recordedRun}\nmodel run     ${modelRun}\n` +
    `Compare them: zcl compare ${recordedRun} ${modelRun}\n`
  )
}

function reportLines(id: string, { turns, calls, skipped, difference }: ReplayReport): string {
  const skips = skipped === 0 ? '' : `, ${counted(skipped, 'call')} not repeated`
  const counts = `session ${id}: ${counted(turns, 'turn')}, ${counted(calls, 'call')} replayed${skips}\n`
  if (difference === undefined) return `${counts}no difference\n`
  const { kind, event, what, recorded, replayed } = difference
  const place = event === undefined ? '' : ` at event ${event}`
  return (
    `${counts}first difference${place} (${kind}): ${oneLine(what)}\n` +
    `  recorded: ${shown(recorded)}\n  replayed: ${shown(replayed)}\n`
  )
}

function reportJson(id: string, { difference, ...counts }: ReplayReport): string {
  return `${JSON.stringify({ id, ...counts, difference: difference ?? null })}\n`
}

function shown(text: string): string {
  const cut = cutToBytes(oneLine(text), maxShownBytes)
  return cut.truncated ? `${cut.text}…` : cut.text
}
