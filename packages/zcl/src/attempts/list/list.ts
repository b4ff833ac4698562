// Prints lists of attempts and runs, newest first. Items are streamed, so memory stays constant.
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { alignedFor, printLines } from '../../output/output.ts'

export interface ListOptions {
  suite: string | undefined
  mission?: string | undefined
  status?: string
  tag?: string | undefined
  limit: number | undefined
  outRoot: string | undefined
  json: boolean
}

/** Streams `{ok, <name>[], total}`, or aligned rows or a note that there are none; total also counts matches beyond the limit. */
export async function printList<Item>(
  host: Host,
  name: string,
  items: Iterable<Item>,
  options: ListOptions,
  describe: (item: Item) => object,
  columns: (item: Item) => string[],
  optionalColumns: readonly number[] = [],
  rightColumns: readonly number[] = [],
): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json } = options
  const write = terminalSafeWriter(host.stdout)
  let total = 0
  let block: string[][] = []
  if (json) await write(`{\n  "ok": true,\n  "${name}": [`)
  for (const item of items) {
    total++
    if (total > limit) continue
    if (json) {
      const text = JSON.stringify(describe(item), undefined, 2).replaceAll('\n', '\n    ')
      await write(`${total === 1 ? '' : ','}\n    ${text}`)
    } else block.push(columns(item))
    if (block.length >= rowsPerBlock) {
      await write(`${alignedFor(host, block, optionalColumns, 0, rightColumns).join('\n')}\n`)
      block = []
    }
  }
  if (!json) {
    const rows = alignedFor(host, block, optionalColumns, 0, rightColumns)
    return printLines(host, total === 0 ? [`No ${name} found.`] : rows)
  }
  const close = total === 0 || limit === 0 ? ']' : '\n  ]'
  await write(`${close},\n  "total": ${total}\n}\n`)
}

const rowsPerBlock = 1000
