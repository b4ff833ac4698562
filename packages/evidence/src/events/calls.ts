// Visits the calls of a trace one by one, in constant memory. Lines that are not events are
// skipped.
import { closeSync } from 'node:fs'
import { openIfPresent, type EvidenceFolder } from '../artifact/artifact.ts'
import { emptyFacts, factsFromRecord, type CallFacts } from './facts.ts'
import { scanEvent } from './event-scanner.ts'
import { artifactName } from '../layout/layout.ts'
import { isBlank, visitLines } from './lines.ts'
import { parseObject } from '@zee/core/json'

/**
 * Visits the calls after line `after` until `visit` returns false, and returns that line, or
 * undefined at the end. All calls share one facts object; it and its `record()` are valid during
 * the visit only.
 */
export function visitCalls(
  attempt: EvidenceFolder,
  visit: (facts: CallFacts) => boolean,
  after = 0,
): number | undefined {
  const opened = openIfPresent(attempt, artifactName.trace)
  if (opened === undefined) return undefined
  const facts = emptyFacts()
  try {
    visitLines(opened.descriptor, {
      line(bytes, start, end, number, utf8) {
        if (number <= after || !utf8 || isBlank(bytes, start, end)) return
        facts.line = number
        if (readFacts(bytes, start, end, facts) && !visit(facts)) throw stopVisiting
      },
      oversize() {},
    })
  } catch (error) {
    if (error === stopVisiting) return facts.line
    throw error
  } finally {
    closeSync(opened.descriptor)
  }
  return undefined
}

/** Thrown to leave `visitLines`, which has no other way to stop early. */
const stopVisiting = new Error('enough lines')

function readFacts(bytes: Buffer, start: number, end: number, into: CallFacts): boolean {
  if (scanEvent(bytes, start, end, into)) {
    into.record = () => recordOf(bytes, start, end) ?? {}
    return true
  }
  const record = recordOf(bytes, start, end)
  if (record === undefined || (record.v !== undefined && record.v !== 1)) return false
  factsFromRecord(record, into)
  return true
}

function recordOf(bytes: Buffer, start: number, end: number): Record<string, unknown> | undefined {
  return parseObject(bytes.toString('utf8', start, end))
}
