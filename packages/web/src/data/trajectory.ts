// The data of a zeno trajectory.
import type { PageHead } from './head.ts'

export interface TrajectoryPage extends PageHead {
  kind: 'trajectory'
  log: string
  /** The corpus that `--root` named. */
  root?: string
  startedAt?: string
  endedAt?: string
  totals: TrajectoryTotals
  budgets: BudgetFacts[]
  steps: StepFacts[]
  /** Steps of the trace that are not on this page. */
  stepsLeftOut: number
  files: FileFacts[]
  filesLeftOut: number
  claims: ClaimFacts[]
  badLines: number
}

export interface TrajectoryTotals {
  requests: number
  errors: number
  truncated: number
  filesListed: number
  filesMatched: number
  filesRead: number
  linesRead: number
  bytesRead: number
  ms: number
  subcalls: number
  deepest: number
}

export interface BudgetFacts {
  name: string
  used: number
  limit?: number
}

export interface StepFacts {
  /** 1-based line of the trace. */
  line: number
  kind: 'request' | 'subcall' | 'claim' | 'event' | 'bad'
  depth: number
  /** The operation, or the name of the event. */
  name: string
  id?: string
  /** The sub-call that sent the request. */
  call?: string
  title: string
  /** Arguments or fields as JSON. */
  details: string
  ok?: boolean
  error?: string
  count?: number
  truncated?: true
  ms?: number
  bytes?: number
  at?: string
  redacted?: string[]
}

export interface FileFacts {
  path: string
  bytes: number
  state: 'untouched' | 'listed' | 'matched' | 'read'
  /** The number of lines read. */
  lines?: number
  /** The first trace lines that touched the file. */
  steps?: number[]
}

export interface ClaimFacts {
  id: string
  text: string
  confidence?: string
  /** Line of the trace; absent for a claim from a ledger. */
  line?: number
  evidence: EvidenceFacts[]
}

export interface EvidenceFacts {
  id: string
  kind: string
  /** `src/a.ts:3-9` */
  at?: string
  why?: string
  status: 'ok' | 'moved' | 'changed' | 'missing' | 'unhashed' | 'invalid' | 'unknown' | 'unchecked'
  detail?: string
  /** The trace line of the request that it cites. */
  line?: number
}
