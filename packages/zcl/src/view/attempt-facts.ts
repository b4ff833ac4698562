// Collects the data of one attempt for its page: report, outcome, notes, findings and calls.
import path from 'node:path'
import { readJournalSync } from '@zee/core/journal'
import { ZeeError } from '@zee/core/errors'
import { readJsonArtifact, readPrompt } from '@zee/evidence/artifact'
import { withoutDeepMembers } from '@zee/evidence/json'
import { artifactName } from '@zee/evidence/layout'
import { readMessages } from '@zee/evidence/messages'
import type { ReportFile } from '@zee/evidence/schema'
import { isJudged } from '@zee/evidence/statistics'
import { requireRegularStream } from '@zee/evidence/trace'
import type {
  AttemptFacts,
  AttemptMetrics,
  FeedbackFacts,
  NoteFacts,
  PageText,
} from '@zee/web/data'
import { readCalls } from './call-facts.ts'
import { examFacts } from './exam-facts.ts'
import { pageText, type PageBudget } from './page-budget.ts'
import type { TextParts } from './text-parts.ts'

export interface AttemptLocation {
  folder: string
  name: string
  /** Nothing outside this folder is read. */
  within: string
}

export type JudgedAttempt = Pick<AttemptFacts, 'outcome' | 'attemptId' | 'missionId'> & {
  infraCode?: string
}

/** Shared by all attempts of a page. */
export interface PageResources {
  budget: PageBudget
  parts: TextParts
}

/** Validation findings are added later, by `addIntegrity`. */
export function attemptFacts(
  location: AttemptLocation,
  judged: JudgedAttempt,
  report: ReportFile | undefined,
  { budget, parts }: PageResources,
): AttemptFacts {
  return {
    attemptId: judged.attemptId,
    missionId: judged.missionId,
    outcome: judged.outcome,
    isJudged: isJudged(judged),
    infraCode: judged.infraCode,
    ...attemptDetails(location, report),
    metrics: metricsOf(report),
    ...promptOf(location),
    ...feedbackOf(report),
    notes: [...messagesOf(location), ...notesOf(location)],
    findings: report?.findings?.map(findingFacts) ?? [],
    integrity: [],
    isValid: true,
    ...expectationsOf(report),
    ...examFacts({ path: location.folder, within: location.within }),
    ...readCalls({ path: location.folder, within: location.within }, budget, parts),
  }
}

function attemptDetails(location: AttemptLocation, report: ReportFile | undefined) {
  const from = { path: location.folder, within: location.within }
  const attempt = readObject(from, artifactName.attempt)
  const runner = readObject(from, artifactName.runnerMetrics)
  const tokens = report?.tokenEstimates
  const { inputTokens, outputTokens } = tokens ?? {}
  const total = tokens?.totalTokens ?? (inputTokens ?? 0) + (outputTokens ?? 0)
  return {
    costUsd: typeof runner.costUsd === 'number' ? runner.costUsd : undefined,
    ...optionalText('mode', attempt.mode),
    ...optionalText('agentId', attempt.agentId),
    ...optionalText('model', runner.model),
    ...optionalText('startedAt', report?.startedAt),
    ...optionalText('endedAt', report?.endedAt),
    ...(tokens === undefined
      ? {}
      : {
          tokens: {
            total,
            input: inputTokens,
            output: outputTokens,
            isEstimate: tokens.source === 'trace-heuristic',
          },
        }),
  }
}

function metricsOf(report: ReportFile | undefined): AttemptMetrics {
  const metrics = report?.metrics
  return {
    calls: metrics?.toolCallsTotal ?? 0,
    failures: metrics?.failuresTotal ?? 0,
    timeouts: metrics?.timeoutsTotal ?? 0,
    retries: metrics?.retriesTotal ?? 0,
    wallMs: metrics?.wallTimeMs ?? 0,
    callMs: metrics?.durationMsTotal ?? 0,
    p50Ms: metrics?.durationMsP50 ?? 0,
    p95Ms: metrics?.durationMsP95 ?? 0,
    outBytes: metrics?.outBytesTotal ?? 0,
    errBytes: metrics?.errBytesTotal ?? 0,
    truncations: metrics?.previewTruncations ?? 0,
  }
}

const maxTextBytes = 64 * 1024

function promptOf(location: AttemptLocation): { prompt?: PageText } {
  const prompt = readPrompt({ path: location.folder, within: location.within })
  return prompt === undefined ? {} : { prompt: pageText(prompt, maxTextBytes) }
}

function feedbackOf(report: ReportFile | undefined): { feedback?: FeedbackFacts } {
  if (report?.ok === undefined) return {}
  const isJson = report.result === undefined
  const result = report.result ?? JSON.stringify(report.resultJson ?? null, null, 2)
  return {
    feedback: {
      ok: report.ok,
      result: pageText(result, maxTextBytes),
      isJson,
      ...optionalText('classification', report.classification),
      ...optionalText('basis', report.classificationBasis),
      tags: report.decisionTags ?? [],
      ...optionalText('at', report.endedAt),
    },
  }
}

const maxNotes = 1000

/** What the agent and its user said, beside the notes. */
function messagesOf({ folder }: AttemptLocation): NoteFacts[] {
  return readMessages(folder)
    .slice(0, maxNotes)
    .map(({ ts, role, kind, text, afterCalls }) => ({
      at: ts,
      kind: kind === 'thinking' ? 'thinking' : role,
      text,
      tags: [],
      afterCalls,
    }))
}

function notesOf({ folder }: AttemptLocation): NoteFacts[] {
  const notes: NoteFacts[] = []
  try {
    requireRegularStream(folder, artifactName.notes)
    readJournalSync(path.join(folder, artifactName.notes), ({ record }) => {
      notes.push(noteOf(withoutDeepMembers(record)))
      return notes.length < maxNotes
    })
  } catch (error) {
    // The file is missing or not part of the attempt; validation reports which.
    if (!(error instanceof ZeeError)) throw error
  }
  return notes
}

function noteOf(record: Readonly<Record<string, unknown>>): NoteFacts {
  const { ts, kind, message, data, tags } = record
  return {
    at: typeof ts === 'string' ? ts : '',
    kind: typeof kind === 'string' ? kind : '',
    text: typeof message === 'string' ? message : JSON.stringify(data ?? null),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
  }
}

function findingFacts(finding: NonNullable<ReportFile['findings']>[number]) {
  const { kind, basis, classification, message, lines, linesTotal } = finding
  return {
    kind,
    basis,
    ...optionalText('classification', classification),
    message,
    lines,
    linesTotal,
  }
}

function expectationsOf(report: ReportFile | undefined): Pick<AttemptFacts, 'expectations'> {
  const { expectations } = report ?? {}
  if (expectations?.evaluated !== true) return {}
  const failures = Array.isArray(expectations.failures) ? expectations.failures : []
  return {
    expectations: {
      ok: expectations.ok,
      failures: failures.map(({ code, message }) => ({
        code: String(code),
        message: String(message),
      })),
    },
  }
}

function readObject(from: { path: string; within: string }, name: string): Record<string, unknown> {
  const read = readJsonArtifact(from, name)
  return read.failure === undefined ? read.value : {}
}

function optionalText<Key extends string>(key: Key, value: unknown): Partial<Record<Key, string>> {
  return typeof value === 'string' ? ({ [key]: value } as Partial<Record<Key, string>>) : {}
}
