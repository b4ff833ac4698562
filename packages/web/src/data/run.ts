// What the pages of zcl show: a run with its attempts, one attempt alone, two runs side by side.
import type { PageHead } from './head.ts'

export interface RunPage extends PageHead {
  /** `attempt` is a run of which one attempt was asked for. */
  kind: 'run' | 'attempt'
  run: RunFacts
  rate: Rate
  /** Sorted by id. */
  missions: MissionFacts[]
  /** By index. */
  attempts: AttemptFacts[]
  /** What is wrong with the run itself. */
  integrity: IntegrityFacts[]
}

export interface RunFacts {
  runId: string
  suiteId: string
  createdAt?: string
  pinned?: boolean
}

/** A share of passes with its 95 % interval, all between 0 and 1. */
export interface Rate {
  passed: number
  /** Those with an outcome. */
  judged: number
  rate?: number
  low: number
  high: number
}

export interface MissionFacts {
  missionId: string
  attempts: number
  rate: Rate
}

export interface AttemptFacts {
  attemptId: string
  missionId: string
  /** `infra`: the surroundings failed, so that it says nothing about the agent. */
  outcome: 'passed' | 'failed' | 'infra' | 'missing'
  infraCode?: string
  mode?: string
  agentId?: string
  model?: string
  startedAt?: string
  endedAt?: string
  metrics: AttemptMetrics
  tokens?: { total: number; input?: number; output?: number; isEstimate: boolean }
  prompt?: PageText
  feedback?: FeedbackFacts
  notes: NoteFacts[]
  /** Friction: where the agent struggled with a tool. */
  findings: FrictionFacts[]
  /** What is wrong with the evidence itself. */
  integrity: IntegrityFacts[]
  isValid: boolean
  expectations?: { ok: boolean; failures: { code: string; message: string }[] }
  calls: CallFacts[]
  /** Calls that are in the trace and not on this page. */
  callsLeftOut: number
  /** The first part of the page with the texts of its calls, and how many each part has. */
  texts?: { first: number; callsPerPart: number }
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

/** A text that may have been cut for the page. */
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
  /** The line of the trace that it is about. */
  line?: number
}

/** One traced call. Names are short and what is usual is left out: there may be many thousands. */
export interface CallFacts {
  /** 1-based line of the trace. */
  line: number
  /** Start, in milliseconds after the first call of the attempt. */
  at: number
  ms: number
  tool: string
  op: string
  /** What was done, in a line. */
  title: string
  /** Present when the call failed. */
  code?: string
  exit?: number
  outBytes?: number
  errBytes?: number
  /** A preview or the input was cut when it was recorded. */
  cut?: true
  /** Previews that are in the trace are not on this page. */
  short?: true
  redactions?: string[]
}

/** Texts of a call, in a part of the page: output, errors, input where the title does not say all. */
export type CallTexts = [out: string | 0, err: string | 0, input: string | 0]

export interface ComparisonPage extends PageHead {
  kind: 'comparison'
  sides: [ComparisonSide, ComparisonSide]
  /** Whether the two may be compared at all, and if not, why. */
  caution?: string
  verdict: { level: 'better' | 'worse' | 'even'; text: string }
  /** B minus A over all missions. */
  overall: Difference
  missions: MissionComparison[]
  measures: MeasureComparison[]
  changes: { what: string; before: string; after: string }[]
}

export interface ComparisonSide {
  label: string
  runIds: string[]
  suiteId: string
  rate: Rate
}

/** A difference of pass rates with its 95 % interval, all between -1 and 1. */
export interface Difference {
  delta?: number
  low: number
  high: number
}

export interface MissionComparison {
  missionId: string
  a: Rate
  b: Rate
  difference: Difference
  level: 'better' | 'worse' | 'even' | 'missing'
  note?: string
}

export interface MeasureComparison {
  name: string
  unit: 'count' | 'ms' | 'tokens' | 'bytes'
  a?: number
  b?: number
  /** Interval of B minus A, in the measure's unit. */
  low?: number
  high?: number
  level: 'better' | 'worse' | 'even'
}
