// Validates the folder of an attempt: every artifact, and their consistency.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isContained, listFolder, readJsonArtifact } from '../artifact/artifact.ts'
import type { EvidenceFolder } from '../artifact/artifact.ts'
import { checkFeedback, checkNote, checkTraceEvent, type ExpectedIds } from './rules.ts'
import { oneLine } from '@zee/core/errors'
import { openCallsOf } from '../events/events.ts'
import { asObject } from '../json/json.ts'
import { isInfraFeedback, readOutcome } from '../outcome/outcome.ts'
import { captureChecker, checkText } from './captures.ts'
import type { ChainVerdict, Seal } from './chain.ts'
import type { Scope } from './findings.ts'
import { checkHarnessRecord } from './harness-record.ts'
import { artifactName, captureFolderName } from '../layout/layout.ts'
import { limits } from '../schema/limits.ts'
import * as schemas from '../schema/schema.ts'
import { validateJson } from './json-file.ts'
import { validateStream, type StreamResult } from './stream.ts'

export interface AttemptToValidate {
  from: EvidenceFolder
  /** Last part of the path by which the attempt was reached. */
  name: string
  /** Ids of its run, as far as they are known. */
  run: { runId?: string; suiteId?: string | undefined }
}

/** Adds all findings; returns whether the validation was strict. */
export function validateAttempt(attempt: AttemptToValidate, outer: Scope): { strict: boolean } {
  const { from } = attempt
  const scope = outer.withStrict(outer.strict || isCi(from))
  const attemptFile = validateJson(
    from,
    artifactName.attempt,
    { schema: schemas.attemptSchema, ids: attempt.run },
    scope,
  )
  if (!attemptFile.present) reportMissing(artifactName.attempt, scope)
  if (attemptFile.value !== undefined) {
    checkName(attemptFile.value.attemptId, attempt.name, scope)
  }
  const ids = expectedIds(attemptFile.value, attempt)
  const report = validateJson(
    from,
    artifactName.report,
    { schema: schemas.storedShapes.report, ids },
    scope,
  )
  const chain = { seal: sealOf(report.value) }
  const trace = validateStream(
    from,
    artifactName.trace,
    {
      schema: schemas.traceEventSchema,
      ids,
      check: (...line) => checkTraceEvent(from, ...line),
      chain,
    },
    scope,
  )
  const feedback = validateJson(
    from,
    artifactName.feedback,
    {
      schema: schemas.feedbackSchema,
      ids,
      maxBytes: limits.feedbackFileBytes,
      check: checkFeedback,
    },
    scope,
  )
  // The lab abandons a try whose worker died; what such a try lacks is no fault of its evidence.
  const isAbandoned = readOutcome(from)?.outcome === 'abandoned'
  const presence = isAbandoned ? scope.withStrict(false) : scope
  checkPresence(trace, feedback, attemptFile.value, presence)
  checkChain(trace.chain, chain.seal, scope)
  checkBegins(from, ids, scope)
  checkHarnessRecord(from, scope)
  validateSecondary(from, ids, scope, attemptFile.value?.mode === 'ci')
  validateUnknown(from, scope)
  checkLinks(from, scope)
  return { strict: scope.strict }
}

/** The mode in attempt.json, which makes the validation of all files strict, itself included. */
function isCi(from: EvidenceFolder): boolean {
  const read = readJsonArtifact(from, artifactName.attempt)
  return read.failure === undefined && read.value.mode === 'ci'
}

function reportMissing(name: string, scope: Scope): void {
  scope.error('ZCL_E_MISSING_ARTIFACT', 'it is not there', name)
}

function checkName(attemptId: unknown, folderName: string, scope: Scope): void {
  if (typeof attemptId !== 'string' || attemptId === folderName) return
  const message = `attemptId ${JSON.stringify(attemptId.slice(0, 80))} is not the folder's name`
  scope.error('ZCL_E_ID_MISMATCH', message, artifactName.attempt)
}

/** The ids of attempt.json, or of the folders if it is unusable. */
function expectedIds(
  file: Record<string, unknown> | undefined,
  { name, run }: AttemptToValidate,
): ExpectedIds {
  if (file === undefined) return { ...run, attemptId: name }
  return Object.fromEntries(
    ['runId', 'suiteId', 'missionId', 'attemptId', 'agentId'].flatMap((key) =>
      typeof file[key] === 'string' ? [[key, file[key]]] : [],
    ),
  )
}

function sealOf(report: Record<string, unknown> | undefined): Seal | undefined {
  const root = report?.traceRoot
  if (typeof root !== 'string') return undefined
  const { traceLines, invalidLines: invalid = 0 } = asObject(report?.integrity)
  if (typeof traceLines === 'number') return { root, lines: traceLines }
  // Reports without the number of lines count every event as a call.
  const calls = asObject(report?.metrics).toolCallsTotal
  const hasCounts = typeof calls === 'number' && typeof invalid === 'number'
  return { root, lines: hasCounts ? calls + invalid : undefined }
}

/** A call that began and has no event: it still runs, or its recorder died. */
function checkBegins(from: EvidenceFolder, ids: ExpectedIds, scope: Scope): void {
  const rules = { schema: schemas.beginSchema, ids, chain: { seal: undefined } }
  const name = artifactName.begins
  const stream = validateStream(from, name, rules, scope)
  const broken = stream.chain?.broken
  if (broken !== undefined) {
    scope.warning('ZCL_W_CONTRACT', `line ${broken.line} ${broken.how}`, name)
  }
  if (!stream.present) return
  for (const [id, { line, tool, op, program }] of openCallsOf(from).slice(0, maxOpenCalls)) {
    const what = oneLine(`${tool} ${op} ${program}`).slice(0, 120)
    const message = `line ${line}: the call ${id} (${what}) began and has no event in ${artifactName.trace}`
    scope.either('ZCL_E_OPEN_CALL', 'ZCL_W_OPEN_CALL', message, name)
  }
}

const maxOpenCalls = 100

interface FeedbackResult {
  present: boolean
  value: Record<string, unknown> | undefined
}

function checkPresence(
  trace: StreamResult,
  feedback: FeedbackResult,
  attempt: Record<string, unknown> | undefined,
  scope: Scope,
): void {
  const hasFeedback = feedback.present
  // The harness writes an infra failure also when the agent never acted.
  const needsAction = !isInfraFeedback(feedback.value) && attempt?.allowUnproven !== true
  if (hasFeedback && !needsAction) return
  const absent = 'it is not there'
  const { trace: traceName, feedback: feedbackName } = artifactName
  if (!trace.present) {
    scope.either('ZCL_E_MISSING_ARTIFACT', 'ZCL_W_MISSING_ARTIFACT', absent, traceName)
  }
  if (!hasFeedback) {
    scope.either('ZCL_E_MISSING_ARTIFACT', 'ZCL_W_MISSING_ARTIFACT', absent, feedbackName)
  }
  if (trace.lines > 0) return
  if (hasFeedback) {
    const message = 'there is an outcome, but no traced action'
    scope.either('ZCL_E_FUNNEL_BYPASS', 'ZCL_W_FUNNEL_BYPASS_SUSPECTED', message, traceName)
  } else if (trace.present) {
    const message = 'it holds no action'
    scope.either('ZCL_E_MISSING_EVIDENCE', 'ZCL_W_MISSING_EVIDENCE', message, traceName)
  }
}

function checkChain(chain: ChainVerdict | undefined, seal: Seal | undefined, scope: Scope): void {
  const name = artifactName.trace
  if (chain === undefined) {
    if (seal === undefined) return
    return scope.error('ZCL_E_CHAIN_BROKEN', 'line 1 was removed: the report covers it', name)
  }
  const { broken, unchained, appended } = chain
  if (broken !== undefined) {
    const message = `line ${broken.line} ${broken.how}`
    if (chain.sealed) scope.error('ZCL_E_CHAIN_BROKEN', message, name)
    else scope.warning('ZCL_W_CONTRACT', `${message} (no report has sealed it)`, name)
  }
  if (unchained !== undefined) {
    const message = `line ${unchained} carries no hash: the chain starts anew there`
    scope.warning('ZCL_W_CONTRACT', message, name)
  }
  if (appended > 0) {
    const message = `${appended} line(s) were appended after the report was made`
    scope.warning('ZCL_W_REPORT_STALE', message, artifactName.report)
  }
}

/** Validates the artifacts that no score depends on, where they exist. */
function validateSecondary(
  from: EvidenceFolder,
  ids: ExpectedIds,
  scope: Scope,
  isCiAttempt: boolean,
): void {
  const note = { schema: schemas.noteSchema, ids, check: ignoringSize(checkNote) }
  validateStream(from, artifactName.notes, note, scope)
  validateStream(from, artifactName.messages, { schema: schemas.messageSchema, ids }, scope)
  const capture = { schema: schemas.captureSchema, ids, check: captureChecker(from, isCiAttempt) }
  validateStream(from, artifactName.captures, capture, scope)
  const ref = { schema: schemas.runnerRefSchema, ids }
  validateJson(from, artifactName.runnerRef, ref, scope)
  validateJson(from, artifactName.runnerMetrics, { schema: schemas.runnerMetricsSchema }, scope)
  for (const name of texts) checkText(from, name, scope)
}

function ignoringSize(check: typeof checkNote) {
  return (
    value: Record<string, unknown>,
    _bytes: number,
    ...rest: [Scope, Parameters<typeof checkNote>[2]]
  ) => check(value, ...rest)
}

const texts = [
  artifactName.prompt,
  artifactName.runnerCommand,
  artifactName.runnerStdout,
  artifactName.runnerStderr,
]

const knownFiles: ReadonlySet<string> = new Set(Object.values(artifactName))

/** Files that this version does not know must at least parse as their extension says. */
function validateUnknown(from: EvidenceFolder, scope: Scope): void {
  for (const entry of listFolder(from.path) ?? []) {
    if (knownFiles.has(entry.name) && entry.name !== artifactName.runtimeEnv) continue
    // Skip locks and temporary files of active writers.
    if (entry.name.startsWith('.') || entry.isDirectory()) continue
    if (entry.name.endsWith('.json')) validateJson(from, entry.name, {}, scope)
    if (entry.name.endsWith('.jsonl')) validateStream(from, entry.name, undefined, scope)
  }
}

/** Artifacts that are not read must not be links out of the run either. */
function checkLinks(from: EvidenceFolder, scope: Scope): void {
  for (const name of [
    artifactName.attemptEnv,
    path.dirname(captureFolderName),
    captureFolderName,
  ]) {
    const file = path.join(from.path, name)
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue
    if (isContained(from.within, file)) continue
    scope.error('ZCL_E_CONTAINMENT', 'it is a link that leaves the run or leads nowhere', name)
  }
}
