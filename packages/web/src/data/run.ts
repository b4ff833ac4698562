// The data of zcl's pages: a run with its attempts, a single attempt, a comparison of two runs.
import type { PageHead } from './head.ts'

export interface RunPage extends PageHead {
  /** `attempt`: the page shows a single attempt of the run. */
  kind: 'run' | 'attempt'
  run: RunFacts
  rate: Rate
  /** Sorted by id. */
  missions: MissionFacts[]
  /** By index. */
  attempts: AttemptFacts[]
  /** Integrity findings of the run itself. */
  integrity: IntegrityFacts[]
  /** The runs of the suite, oldest first, with this one; absent if there is no other. */
  history?: SuiteRunFacts[] | undefined
}

export interface SuiteRunFacts {
  runId: string
  createdAt: string
  passed: number
  judged: number
}

export interface RunFacts {
  runId: string
  suiteId: string
  createdAt?: string
  pinned?: boolean
  /** The number of attempts that a suite run plans. */
  planned?: number
  /** Planned attempts are still run. */
  isRunning?: boolean
}

/** A pass rate with its 95 % interval, all between 0 and 1. */
export interface Rate {
  passed: number
  /** Attempts that passed or failed. */
  judged: number
  rate?: number
  /** Absent with fewer than two attempts. */
  low?: number
  high?: number
}

export interface MissionFacts {
  missionId: string
  attempts: number
  rate: Rate
  /** Mean cost of an attempt with a known cost. */
  costUsd?: number | undefined
}

export interface AttemptFacts {
  attemptId: string
  missionId: string
  /** `infra`: the infrastructure failed, so the attempt says nothing about the agent. */
  outcome: 'passed' | 'failed' | 'infra' | 'missing'
  /** Counts in pass rates and in the summaries of distributions. */
  isJudged: boolean
  infraCode?: string
  mode?: string
  agentId?: string
  model?: string
  startedAt?: string
  endedAt?: string
  metrics: AttemptMetrics
  tokens?: { total: number; input?: number; output?: number; isEstimate: boolean }
  costUsd?: number | undefined
  prompt?: PageText
  feedback?: FeedbackFacts
  notes: NoteFacts[]
  /** Friction: problems of the agent with a tool. */
  findings: FrictionFacts[]
  /** Integrity findings of the evidence. */
  integrity: IntegrityFacts[]
  isValid: boolean
  expectations?: { ok: boolean; failures: { code: string; message: string }[] }
  /** Workspace and grades, for an attempt of the exam room. */
  exam?: ExamFacts
  calls: CallFacts[]
  /** Calls of the trace that are not on this page. */
  callsLeftOut: number
  /** The page part with the texts of the first calls, and the number of calls per part. */
  texts?: { first: number; callsPerPart: number }
}

export interface ExamFacts {
  /** `namespace by bwrap, network none`. */
  isolation?: string
  workspace?: WorkspaceFacts
  verifiers: VerifierFacts[]
  scores: { scorer: string; ok: boolean; message?: string }[]
  judge?: JudgeFacts
}

export interface WorkspaceFacts {
  added: number
  modified: number
  deleted: number
  /** A unified diff of what the agent changed. */
  diff: PageText
  isRetained: boolean
}

export interface VerifierFacts {
  command: string
  ok: boolean
  exitCode?: number
  message?: string
  durationMs: number
  stdout: PageText
  stderr: PageText
}

export interface JudgeFacts {
  /** Absent if too few votes were usable. */
  ok?: boolean
  model: string
  votes: { status: string; ok?: boolean; reason?: string }[]
}

export interface AttemptMetrics {
  calls: number
  failures: number
  timeouts: number
  retries: number
  wallMs: number
  callMs: number
  p50Ms: number
  p95Ms: number
  outBytes: number
  errBytes: number
  truncations: number
}

/** A text that may be truncated for the page. */
export interface PageText {
  text: string
  /** Bytes that are not on the page. */
  cutBytes?: number
}

export interface FeedbackFacts {
  ok: boolean
  result: PageText
  isJson: boolean
  classification?: string
  basis?: string
  tags: string[]
  at?: string
}

export interface NoteFacts {
  at: string
  kind: string
  text: string
  tags: string[]
  /** Words of the agent: the number of calls of the trace before them. */
  afterCalls?: number | undefined
}

export interface FrictionFacts {
  kind: string
  basis: string
  classification?: string
  message: string
  /** 1-based lines of the trace. */
  lines: number[]
  linesTotal: number
}

export interface IntegrityFacts {
  level: 'error' | 'warning'
  code: string
  message: string
  path: string
  /** The affected line of the trace. */
  line?: number
}

/** One traced call. Names are short and default values are omitted: a page may hold thousands. */
export interface CallFacts {
  /** 1-based line of the trace. */
  line: number
  /** Start, in milliseconds after the first call of the attempt. */
  at: number
  ms: number
  tool: string
  op: string
  /** The call in one line. */
  title: string
  /** The line of the call that this one is a part of. */
  parent?: number | undefined
  /** Present when the call failed. */
  code?: string
  exit?: number
  outBytes?: number
  errBytes?: number
  /** The recorder truncated a preview or the input. */
  cut?: true
  /** The page omits previews of the trace. */
  short?: true
  redactions?: string[]
}

/** The texts of a call in a page part; the input is 0 if the title holds all of it. */
export type CallTexts = [out: string | 0, err: string | 0, input: string | 0]

export interface ComparisonPage extends PageHead {
  kind: 'comparison'
  sides: [ComparisonSide, ComparisonSide]
  /** Why the comparison may mislead. */
  caution?: string
  /** On these missions, then on missions like these. */
  verdicts: ComparisonVerdict[]
  /** What the attempts without a verdict could change. */
  lost?: string
  /** B minus A over all missions. */
  overall: Difference
  missions: MissionComparison[]
  measures: MeasureComparison[]
  /** The closing notes of `zcl compare`: missions left out, warnings, the plan, the settings. */
  notes: string[]
  changes: { what: string; before: string; after: string }[]
  /** Attempts of the same mission side by side. */
  pairs: { missionId: string; a: PairedAttempt | undefined; b: PairedAttempt | undefined }[]
}

export interface PairedAttempt {
  attemptId: string
  outcome: AttemptFacts['outcome']
  calls: number
  ms: number
  /** The folder of the attempt. */
  href: string
}

export interface ComparisonVerdict {
  name: string
  word: string
  level: ComparisonLevel
  /** The line that `zcl compare` prints. */
  text: string
}

export type ComparisonLevel = 'better' | 'worse' | 'even'

export interface ComparisonSide {
  label: string
  runIds: string[]
  suiteId: string
  rate: Rate
  /** The attempts by outcome, as `zcl compare` prints them. */
  counts: string
}

/** The cells of a row as `zcl compare` prints them. */
export interface ComparisonCells {
  a: string
  b: string
  change: string
  p: string
}

/** A difference of pass rates with its 95 % interval, all between -1 and 1. */
export interface Difference {
  delta?: number
  low?: number
  high?: number
}

export interface MissionComparison {
  missionId: string
  a: Rate
  b: Rate
  difference: Difference
  cells: ComparisonCells
  level: ComparisonLevel | 'missing'
  word: string
}

export interface MeasureComparison {
  name: string
  /** B to A, the ratio of geometric means, with its interval. */
  ratio?: number
  low?: number
  high?: number
  cells: ComparisonCells
  level: ComparisonLevel
  word: string
}
