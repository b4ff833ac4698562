// `zeno replay`: prints every answer to a request of a trace that is no longer what was recorded. Exit 1
// when one differs.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { openService } from '../../service/service.ts'
import { replayTrace } from './replay.ts'
import type { Difference, RecordedRequest } from './replay.ts'

export interface ReplayOptions {
  root: string
  log: string
  json: boolean
}

interface Counts {
  replayed: number
  different: number
  skipped: number
}

export async function runReplay(options: ReplayOptions, host: Host): Promise<number> {
  const { root, log, json } = options
  const { service, close } = await openService({ root, omit: [log] }, host)
  const write = terminalSafeWriter(host.stdout)
  const tally: Counts = { replayed: 0, different: 0, skipped: 0 }
  try {
    for await (const { recorded, differences } of replayTrace(log, service)) {
      if (differences === undefined) {
        tally.skipped++
        continue
      }
      tally.replayed++
      if (differences.length > 0) tally.different++
      for (const difference of differences) {
        await write(
          `${json ? formatJson(recorded, difference) : formatText(recorded, difference)}\n`,
        )
      }
    }
  } finally {
    await close()
  }
  await write(json ? `${JSON.stringify(tally)}\n` : `${formatCounts(tally)}\n`)
  return tally.different === 0 ? 0 : 1
}

function formatText({ line, request }: RecordedRequest, { what, was, is }: Difference): string {
  const [id, op] = [request.id, request.op].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  const values = `${what} ${JSON.stringify(was)} is now ${JSON.stringify(is)}`
  const told = what === 'result_sha256' ? 'the result differs' : values
  return oneLine(`line ${line} ${id} ${op}: ${told}`)
}

function formatJson({ line, request }: RecordedRequest, { what, was, is }: Difference): string {
  return JSON.stringify({ line, id: request.id, op: request.op, what, was, is })
}

function formatCounts({ replayed, different, skipped }: Counts): string {
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`
  return `${replayed} replayed, ${different} different${rest}`
}
