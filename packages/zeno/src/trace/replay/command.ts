// `zeno replay`: prints every difference between recorded and current answers. Exits with 1 on a difference.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { openService } from '../../service/service.ts'
import type { ServiceSettings } from '../../service/service.ts'
import { replayTrace } from './replay.ts'
import type { Difference, RecordedRequest } from './replay.ts'

export interface ReplayOptions extends Pick<ServiceSettings, 'root' | 'roots'> {
  log: string
  json: boolean
}

interface Counts {
  replayed: number
  different: number
  skipped: number
}

export async function runReplay(options: ReplayOptions, host: Host): Promise<number> {
  const { root, roots, log, json } = options
  const { service, close } = await openService({ root, roots, omit: [log] }, host)
  const write = terminalSafeWriter(host.stdout)
  const counts: Counts = { replayed: 0, different: 0, skipped: 0 }
  try {
    for await (const { recorded, differences } of replayTrace(log, service)) {
      if (differences === undefined) {
        counts.skipped++
        continue
      }
      counts.replayed++
      if (differences.length > 0) counts.different++
      for (const difference of differences) {
        await write(
          `${json ? formatJson(recorded, difference) : formatText(recorded, difference)}\n`,
        )
      }
    }
  } finally {
    await close()
  }
  await write(json ? `${JSON.stringify(counts)}\n` : `${formatCounts(counts)}\n`)
  return counts.different === 0 ? 0 : 1
}

function formatText({ line, request }: RecordedRequest, { what, was, is }: Difference): string {
  const [id, op] = [request.id, request.op].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  const values = `${what} ${JSON.stringify(was)} is now ${JSON.stringify(is)}`
  const text = what === 'result_sha256' ? 'the result differs' : values
  return oneLine(`line ${line} ${id} ${op}: ${text}`)
}

function formatJson({ line, request }: RecordedRequest, { what, was, is }: Difference): string {
  return JSON.stringify({ line, id: request.id, op: request.op, what, was, is })
}

function formatCounts({ replayed, different, skipped }: Counts): string {
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`
  return `${replayed} replayed, ${different} different${rest}`
}
