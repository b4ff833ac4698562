// The data of the dashboard: rows of sessions, runs and traces, and what is going on now. zee writes them;
// all text is redacted.

export interface SessionRow {
  id: string
  title: string
  project: string
  model: string
  modifiedMs: number
  /** The size of the conversation. */
  tokens?: number | undefined
  /** Known after the session was read completely. */
  details?: SessionDetails | undefined
}

export interface SessionDetails {
  calls: number
  failures: number
  outputTokens: number
  durationMs: number
  costUsd?: number | undefined
  /** Input tokens of the answers, at most 24 values. */
  spark: number[]
  /** The last record waits for a model or a tool. */
  isOpen: boolean
  /** The latest failed calls, oldest first. */
  failed: FailedCall[]
}

export interface FailedCall {
  /** The session or attempt, as a path below `page/`. */
  page: string
  where: string
  title: string
  atMs: number
}

export interface RunRow {
  /** Unique on this machine: the run id and the number of its output root. */
  key: string
  runId: string
  suiteId: string
  project: string
  createdMs: number
  /** Known after the attempts were counted. */
  details?: RunDetails | undefined
}

export interface RunDetails {
  attempts: number
  passed: number
  failed: number
  infra: number
  missing: number
  planned?: number | undefined
  model: string
  costUsd?: number | undefined
  isRunning: boolean
  /** Estimated from the finished attempts. */
  leftMs?: number | undefined
  /** One letter per attempt, at most 60: p(assed), f(ailed), i(nfra), r(unning). */
  outcomes: string
  failedCalls: FailedCall[]
}

export interface TraceRow {
  key: string
  file: string
  modifiedMs: number
  bytes: number
}

/** Rows that changed since a version. */
export interface RowsUpdate {
  version: number
  sessions: SessionRow[]
  runs: RunRow[]
  traces: TraceRow[]
  removed: string[]
  /** Sessions and runs that are not read yet. */
  pending: number
}

export interface NowFacts {
  zino: { state: 'absent' | 'stopped' | 'running'; services: ServiceRow[] }
  timers: { id: string; text: string; next: string }[]
  approvals: { id: string; text: string }[]
  /** Sessions whose file a process has open; unknown without /proc. */
  openSessions?: string[] | undefined
}

export interface ServiceRow {
  name: string
  state: string
}

export interface MemoryRow {
  id: string
  text: string
  source: string
  time: string
  why: string
}

export interface MemoryAnswer {
  rows: MemoryRow[]
  /** Why the memory cannot be searched. */
  problem?: string | undefined
}

export interface UsageSum {
  day: string
  model: string
  project: string
  program: string
  requests: number
  inputTokens: number
  outputTokens: number
  costUsd: number
  /** Requests without a known price. */
  unpriced: number
}

/** The answer to an action: a question to confirm, or the result. */
export interface ActionAnswer {
  question?: string | undefined
  confirm?: string | undefined
  result?: string | undefined
  problem?: string | undefined
}
