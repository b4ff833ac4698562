// The calls of an attempt, one after another, as the report reads them: what is not an event is passed
// over, the trace is never held as a whole.
import { closeSync } from 'node:fs'
import { openArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { emptyFacts, factsFromRecord, type CallFacts } from './facts.ts'
import { evidenceError } from '../errors/errors.ts'
import { scanEvent } from './event-scanner.ts'
import { artifactName } from '../layout/layout.ts'
import { isBlank, visitLines } from './lines.ts'
import { parseObject } from '@zee/core/json'

/**
 * Visits the calls behind line `after`, until `visit` says false: then the line it stopped at is
 * returned, to go on from. The facts are those of one object, filled again for each call; `record()`
 * is there until then.
 */
export function visitCalls(
  attempt: EvidenceFolder,
  visit: (facts: CallFacts) => boolean,
  after = 0,
): number | undefined {
  const opened = openArtifact(attempt, artifactName.trace)
  if (opened.failure === 'io') {
    throw evidenceError('ZCL_E_IO', `cannot read ${artifactName.trace}: ${opened.reason}`)
  }
  if (opened.failure !== undefined) return undefined
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

/** Lines are handed out by a reader that only stops when it is thrown out of. */
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
