// Reads the last events of a trace in memory proportional to their number.
import { closeSync } from 'node:fs'
import { openIfPresent, type EvidenceFolder } from '../artifact/artifact.ts'
import { withoutDeepMembers } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { isBlank, visitLines } from './lines.ts'
import { parseObject } from '@zee/core/json'

export interface TailLine {
  /** 1-based line of the trace. */
  line: number
  event: Record<string, unknown>
}

/** At most `count` readable events, oldest first. */
export function readTraceTail(from: EvidenceFolder, count: number): TailLine[] {
  const opened = count === 0 ? undefined : openIfPresent(from, artifactName.trace)
  if (opened === undefined) return []
  const kept: { line: number; text: string }[] = []
  try {
    visitLines(opened.descriptor, {
      line(bytes, start, end, number) {
        if (isBlank(bytes, start, end)) return
        if (kept.length === count) kept.shift()
        kept.push({ line: number, text: bytes.toString('utf8', start, end) })
      },
      oversize() {},
    })
  } finally {
    closeSync(opened.descriptor)
  }
  return kept.flatMap(({ line, text }) => {
    const event = parseObject(text)
    return event === undefined ? [] : [{ line, event: withoutDeepMembers(event) }]
  })
}
