// Reads tool.begins.jsonl: the calls that `zcl run` started. A call that began and has no event in the
// trace is open: it still runs, or its recorder died.
import { closeSync } from 'node:fs'
import { parseRfc3339 } from '@zee/core/clock'
import { parseObject } from '@zee/core/json'
import { openIfPresent, type EvidenceFolder } from '../artifact/artifact.ts'
import { asObject, asText } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { visitCalls } from './calls.ts'
import { isBlank, visitLines } from './lines.ts'

export interface BegunCallFacts {
  /** 1-based line of tool.begins.jsonl. */
  line: number
  /** Milliseconds since the epoch; NaN if the line has no valid time. */
  ts: number
  tool: string
  op: string
  /** The program of a command. */
  program: string
}

/** The begun calls by id; empty if there is no such file. */
export function readBegins(from: EvidenceFolder): Map<string, BegunCallFacts> {
  const begun = new Map<string, BegunCallFacts>()
  const opened = openIfPresent(from, artifactName.begins)
  if (opened === undefined) return begun
  try {
    visitLines(opened.descriptor, {
      line(bytes, start, end, number) {
        if (isBlank(bytes, start, end)) return
        const record = parseObject(bytes.toString('utf8', start, end))
        const id = asText(record?.id)
        if (record === undefined || id === '') return
        const { argv } = asObject(record.input)
        const program = Array.isArray(argv) ? asText(argv[0]) : ''
        begun.set(id, {
          line: number,
          ts: parseRfc3339(asText(record.ts))?.getTime() ?? Number.NaN,
          tool: asText(record.tool),
          op: asText(record.op),
          program,
        })
      },
      oversize() {},
    })
  } finally {
    closeSync(opened.descriptor)
  }
  return begun
}

/** The calls that began and have no event, in the order of their begin lines. */
export function openCallsOf(from: EvidenceFolder): [string, BegunCallFacts][] {
  const begun = readBegins(from)
  if (begun.size === 0) return []
  visitCalls(from, ({ id }) => {
    begun.delete(id)
    return begun.size > 0
  })
  return [...begun]
}
