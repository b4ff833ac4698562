// Counts the consecutive failures of one call at the end of a trace.
import { closeSync, constants, openSync } from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import { emptyFacts, factsFromRecord, isBlank, scanEvent, visitLines } from '../events/events.ts'
import type { CallFacts } from '../events/events.ts'
import type { GuardedCall } from './repeat-guard.ts'
import { parseObject } from '@zee/core/json'

/** Reads the complete trace only if its last line is the same call and failed. */
export function streakAtEnd(file: string, last: Buffer, call: GuardedCall): number {
  const facts = emptyFacts()
  if (!readFacts(last, 0, last.length, facts) || !isSameFailedCall(facts, call)) return 0
  let streak = 0
  const descriptor = openForReading(file)
  if (descriptor === undefined) return 0
  try {
    visitLines(descriptor, {
      line(bytes, start, end) {
        if (isBlank(bytes, start, end)) return
        streak =
          readFacts(bytes, start, end, facts) && isSameFailedCall(facts, call) ? streak + 1 : 0
      },
      oversize() {
        streak = 0
      },
    })
  } finally {
    closeSync(descriptor)
  }
  return streak
}

function isSameFailedCall(facts: CallFacts, call: GuardedCall): boolean {
  return !facts.ok && facts.tool === call.tool && facts.op === call.op && facts.input === call.input
}

function readFacts(bytes: Buffer, start: number, end: number, facts: CallFacts): boolean {
  if (scanEvent(bytes, start, end, facts)) return true
  const record = parseObject(bytes.toString('utf8', start, end))
  if (record === undefined) return false
  factsFromRecord(record, facts)
  return true
}

function openForReading(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
