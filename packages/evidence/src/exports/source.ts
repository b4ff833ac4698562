// Reads the attempts and artifacts of an export. Every value passes the redaction gate.
import path from 'node:path'
import type { Redactor } from '@zee/core/redact'
import { readJsonArtifact, readPrompt, type EvidenceFolder } from '../artifact/artifact.ts'
import { ZeeError } from '@zee/core/errors'
import { asObject, asText } from '../json/json.ts'
import { judgeAttempt, judgeUnreadable } from '../judgement/judgement.ts'
import type { JudgedOutcome, Judgement } from '../judgement/judgement.ts'
import { evidenceError } from '../errors/errors.ts'
import { artifactName, attemptsFolder, labArtifactName } from '../layout/layout.ts'
import { readMessages, type AgentMessage } from '../messages/messages.ts'
import { makeReport, readRunBackground, type RunBackground } from '../report/report.ts'
import type { ReportFile } from '../schema/schema.ts'
import { attemptNames, supersededTries, type Target } from '../runs/runs.ts'
import { storedEvent, traceEvents, type StoredEvent } from '../events/events.ts'

type Loose = Readonly<Record<string, unknown>>

export interface ExportAttempt {
  attemptId: string
  attempt: Loose
  /** Undefined without feedback. */
  feedback: Loose | undefined
  /** The judgement of the lab, for attempts of the lab. */
  outcome: Loose | undefined
  /** Another try of the same planned attempt counts. */
  isSuperseded: boolean
  runnerMetrics: Loose | undefined
  prompt: string | undefined
  /** What the agent and its user said, if a log told it. */
  messages: readonly AgentMessage[]
  events(): AsyncGenerator<StoredEvent>
  /** The judgement and the metrics of the attempt. */
  judged(): JudgedReport
}

export interface JudgedReport {
  judgement: Judgement
  /** Undefined if the evidence is refused. */
  metrics: ReportFile['metrics'] | undefined
}

export interface ExportSource {
  runId: string
  suiteId: string
  attempts: readonly ExportAttempt[]
}

/** `refuse` throws at the first secret; `replace` exports its redaction mark. */
export type GateMode = 'refuse' | 'replace'

export async function openExport(
  target: Exclude<Target, { kind: 'unknown' }>,
  redactor: Redactor,
  mode: GateMode,
): Promise<ExportSource> {
  const gate = new Gate(redactor, mode)
  const folders = attemptFolders(target)
  const superseded =
    target.kind === 'run'
      ? supersededTries(target.folder, attemptNames(target.folder))
      : new Set<string>()
  const background = readRunBackground(target.kind === 'run' ? target.folder : target.runFolder)
  const attempts = folders.map((folder) => exportAttempt(folder, gate, superseded, background))
  // Check all events before the first byte is exported: the last line may hold a secret.
  if (mode === 'refuse') for (const each of attempts) for await (const _ of each.events());
  const first = attempts[0]?.attempt ?? {}
  return { runId: asText(first.runId), suiteId: asText(first.suiteId), attempts }
}

class Gate {
  readonly #redactor: Redactor
  readonly #mode: GateMode

  constructor(redactor: Redactor, mode: GateMode) {
    this.#redactor = redactor
    this.#mode = mode
  }

  /** The value to export. The error names `location`, never the secret. */
  pass<T>(value: T, location: () => string): T {
    const { value: safe, applied } = this.#redactor.value(value)
    if (applied.length === 0) return value
    if (this.#mode === 'replace') return safe as T
    const what = `${location()} holds what looks like a secret (${applied.join(', ')})`
    throw evidenceError(
      'ZCL_E_UNSAFE_EVIDENCE',
      `${what}; nothing was exported (use --redact to replace it)`,
    )
  }
}

function attemptFolders(target: Exclude<Target, { kind: 'unknown' }>): EvidenceFolder[] {
  if (target.kind === 'attempt') {
    return [{ path: target.folder, within: target.runFolder ?? target.folder }]
  }
  const { folder } = target
  return attemptNames(folder).map((name) => ({
    path: path.join(attemptsFolder(folder), name),
    within: folder,
  }))
}

function exportAttempt(
  from: EvidenceFolder,
  gate: Gate,
  superseded: ReadonlySet<string>,
  background: RunBackground,
): ExportAttempt {
  const attemptId = path.basename(from.path)
  const json = (name: string): Loose | undefined => {
    const read = readJsonArtifact(from, name)
    if (read.failure !== undefined) return undefined
    return gate.pass(read.value, () => `${attemptId}/${name}`)
  }
  const attempt = json(artifactName.attempt)
  if (attempt === undefined) {
    const message = `${attemptId}: ${artifactName.attempt} is missing or cannot be read`
    throw evidenceError('ZCL_E_MISSING_ARTIFACT', message)
  }
  const prompt = readPrompt(from)
  return {
    attemptId,
    attempt,
    feedback: json(artifactName.feedback),
    outcome: json(labArtifactName.outcome),
    isSuperseded: superseded.has(attemptId),
    runnerMetrics: json(artifactName.runnerMetrics),
    prompt:
      prompt === undefined
        ? undefined
        : gate.pass(prompt, () => `${attemptId}/${artifactName.prompt}`),
    messages: gate.pass(readMessages(from.path), () => `${attemptId}/${artifactName.messages}`),
    events: () => safeEvents(from.path, attemptId, gate),
    judged: () => judgedReport(from, attemptId, background),
  }
}

export interface ExportedVerdict {
  outcome: JudgedOutcome
  /** Undefined unless the attempt passed or failed. */
  ok: boolean | undefined
  /** Why the infrastructure failed. */
  code?: string | undefined
  message?: string | undefined
}

/** The verdict as other formats tell it: the judgement, not the claim of the agent. */
export function verdictOf(attempt: ExportAttempt): ExportedVerdict {
  const { outcome, infraCode } = attempt.judged().judgement
  if (outcome === 'missing') return { outcome, ok: undefined }
  if (outcome !== 'infra') return { outcome, ok: outcome === 'passed' }
  const told = asObject(attempt.feedback?.resultJson)
  const said = [attempt.outcome?.message, told.message, told.error].map(asText)
  return { outcome, ok: undefined, code: infraCode, message: said.find(Boolean) }
}

/** All input of a runner's metrics: other formats count what was read from and written to a cache as input. */
export function promptTokens(metrics: Readonly<Record<string, unknown>>): number | undefined {
  const { inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = metrics
  return typeof inputTokens === 'number'
    ? inputTokens + Number(cachedInputTokens) + Number(cacheWriteTokens)
    : undefined
}

function judgedReport(from: EvidenceFolder, name: string, background: RunBackground): JudgedReport {
  const location = { folder: from.path, name, runFolder: from.within }
  const settings = { strictness: 'lenient', computedAt: '' } as const
  try {
    const { report } = makeReport(location, background, settings)
    return { judgement: judgeAttempt(report, from), metrics: report.metrics }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code === 'ZCL_E_IO') throw error
    return { judgement: judgeUnreadable(from), metrics: undefined }
  }
}

async function* safeEvents(
  folder: string,
  attemptId: string,
  gate: Gate,
): AsyncGenerator<StoredEvent> {
  for await (const { record, index } of traceEvents(folder)) {
    const location = () => `${attemptId}/${artifactName.trace}, event ${index + 1},`
    yield storedEvent({ ...gate.pass(record, location) }, index)
  }
}

/** Milliseconds since the epoch, or undefined. */
export function epochMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
