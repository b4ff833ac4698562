// `zeno plan NAME --run`: sends the requests of a plan and prints the answers. Requests with a placeholder are skipped,
// with the flag that fills it.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { openService } from '../service/service.ts'
import type { Answer } from '../service/service.ts'
import type { PlanRow } from './modes.ts'

export interface RunOptions {
  root?: string | undefined
  log?: string | undefined
  format: string
}

const placeholderFlags: Readonly<Record<string, string>> = {
  '<SYMBOL>': '--symbol <name>',
  '<KEY_TERM>': '--key-term <text>',
  '<CHANGED_FILE>': '--changed <file> or --git',
  '<DOC_PATH>': '--doc <path>',
}

export async function runRows(
  rows: readonly PlanRow[],
  { root = '.', log, format }: RunOptions,
  host: Host,
): Promise<number> {
  const { service, close } = await openService({ root, log, shared: true }, host)
  const write = terminalSafeWriter(host.stdout)
  let failures = 0
  try {
    for (const row of rows) {
      const missing = placeholderIn(row)
      if (missing !== undefined) {
        host.stderr.write(`zeno: skipped ${row.id} (${oneLine(row.purpose)}): pass ${missing}\n`)
        continue
      }
      const isText = format === 'text'
      const args = isText && row.op === 'grep' ? { ...row.args, format: 'text' } : row.args
      const answer = await service.answer({ id: row.id, op: row.op, args: withoutUndefined(args) })
      if (!answer.outcome.ok) failures++
      await write(isText ? formatAnswer(row, answer) : formatJson(answer, format))
      answer.writeTrace()
    }
  } finally {
    await close()
  }
  return failures === 0 ? 0 : 1
}

function placeholderIn({ args }: PlanRow): string | undefined {
  const text = JSON.stringify(args)
  const found = Object.keys(placeholderFlags).find((placeholder) => text.includes(placeholder))
  return found === undefined ? undefined : placeholderFlags[found]
}

function withoutUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
}

function formatJson(answer: Answer, format: string): string {
  const json = format === 'json' ? JSON.stringify(JSON.parse(answer.json), null, 2) : answer.json
  return `${json}\n`
}

function formatAnswer({ id, op, purpose }: PlanRow, { outcome }: Answer): string {
  const head = `## ${id} ${op}: ${purpose}\n`
  if (!outcome.ok) return `${head}error: ${outcome.error.message}\n\n`
  const { text, files, metrics: _, ...rest } = outcome.result
  if (typeof text === 'string') return `${head}${text}\n\n`
  if (Array.isArray(files)) return `${head}${files.map((file) => `${String(file)}\n`).join('')}\n`
  return `${head}${JSON.stringify(rest)}\n\n`
}
