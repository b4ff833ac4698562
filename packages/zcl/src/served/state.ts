// Which calls were served so far. The processes of one attempt share a journal; a server that lives alone
// keeps the state in memory.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lockedAppend, readJournalSync } from '@zee/core/journal'
import type { ServedAnswer } from './answers.ts'

/** Decides an answer from the number of earlier calls and whether the patch was served. */
export type Decide = (earlier: number, isPatched: boolean) => ServedAnswer

export interface ServedState {
  next(key: string, decide: Decide): Promise<ServedAnswer>
}

export interface ServedCounts {
  served: number
  patched: number
  /** Answers of other attempts. */
  borrowed: number
  live: number
  unrecorded: number
}

export class MemoryState implements ServedState {
  readonly #earlier = new Map<string, number>()
  #isPatched = false

  async next(key: string, decide: Decide): Promise<ServedAnswer> {
    const earlier = this.#earlier.get(key) ?? 0
    this.#earlier.set(key, earlier + 1)
    const answer = decide(earlier, this.#isPatched)
    this.#isPatched ||= isForkPoint(answer)
    return answer
  }
}

const lockWaitMs = 30_000

/** Reads and appends under the lock of the journal, so that parallel calls get answers in turn. */
export class FileState implements ServedState {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async next(key: string, decide: Decide): Promise<ServedAnswer> {
    const question = createHash('sha256').update(key).digest('hex')
    let answer: ServedAnswer = { kind: 'unrecorded' }
    const make = (): object => {
      let earlier = 0
      let isPatched = false
      visit(this.#file, (line) => {
        if (line.question === question) earlier++
        isPatched ||= line.forkPoint === true
      })
      answer = decide(earlier, isPatched)
      const head = { v: 1, question, kind: answer.kind, ...(isCall(key) ? {} : { protocol: true }) }
      if (answer.kind !== 'recorded') return head
      const { folder: from, patch } = answer
      const patched = Object.keys(patch ?? {}).length > 0
      const marks = patch === undefined ? {} : { forkPoint: true, patched }
      return { ...head, from, ...marks }
    }
    await lockedAppend(this.#file, make, { durability: 'fast', waitMs: lockWaitMs })
    return answer
  }
}

/** Whether a question is a call of the agent, as opposed to the rest of a protocol. */
function isCall(key: string): boolean {
  return !key.startsWith('mcp ') || key.startsWith('mcp tools/call ')
}

/** Counts the calls of a journal; an answer of another folder than `source` is borrowed. */
export function countServed(file: string, source: string): ServedCounts {
  const counts = { served: 0, patched: 0, borrowed: 0, live: 0, unrecorded: 0 }
  visit(file, ({ kind, patched, from, protocol }) => {
    if (protocol === true) return
    if (kind === 'live') counts.live++
    else if (kind === 'unrecorded') counts.unrecorded++
    else if (patched === true) counts.patched++
    else if (from !== source) counts.borrowed++
    else counts.served++
  })
  return counts
}

function visit(file: string, onLine: (line: Readonly<Record<string, unknown>>) => void): void {
  if (existsSync(file)) readJournalSync(file, ({ record }) => void onLine(record))
}

function isForkPoint(answer: ServedAnswer): boolean {
  return answer.kind === 'recorded' && answer.patch !== undefined
}
