// Writes feedback.json, the outcome of an attempt, atomically and with every string redacted.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { readLastLine } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import { artifactText, readJsonArtifact, refuseLink } from '../artifact/artifact.ts'
import type { AttemptContext } from '../attempt/attempt.ts'
import { canonicalInput, canonicalValue, parseJsonArgument } from '../json/json.ts'
import { evidenceError } from '../errors/errors.ts'
import { resultShapeFailures } from '../checks/checks.ts'
import { artifactName, runFolderOfAttempt } from '../layout/layout.ts'
import { limits } from '../schema/limits.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { findMission, normaliseSuite } from '../suite/suite.ts'
import { announceWrite, redactionNames, requireRegularStream } from '../trace/trace.ts'
import { summariseTrace } from '../summary/summary.ts'

export interface FeedbackRequest {
  ok: boolean
  /** Exactly one of `result` and `resultJson` is set. */
  result?: string | undefined
  resultJson?: string | undefined
  classification?: FeedbackFile['classification']
  /** Whether the caller marks the classification as a guess. */
  isHypothesis: boolean
  decisionTags: readonly NonNullable<FeedbackFile['decisionTags']>[number][]
  /** RFC 3339. */
  createdAt: string
  /** The harness writes the outcome because the agent left none. */
  byHarness?: boolean
}

export interface WrittenFeedback {
  file: FeedbackFile
  /** There is no traced action, so the agent may have bypassed the funnel. */
  bypassSuspected: boolean
}

export async function writeFeedback(
  context: AttemptContext,
  request: FeedbackRequest,
  redactor: Redactor,
): Promise<WrittenFeedback> {
  const stored = storedResult(request, redactor)
  const bypassSuspected = hasNoAction(context.folder)
  if (bypassSuspected && context.mode === 'ci' && request.byHarness !== true) {
    const message = 'no action was traced; in ci mode an outcome needs evidence (see zcl run)'
    throw evidenceError('ZCL_E_MISSING_EVIDENCE', message)
  }
  if (request.byHarness !== true) checkSuite(context, stored)
  const { runId, suiteId, missionId, attemptId } = context.identity
  const tags = [...new Set(request.decisionTags)].sort()
  const file: FeedbackFile = {
    schemaVersion: 1,
    runId,
    suiteId,
    missionId,
    attemptId,
    ok: request.ok,
    result: stored.result,
    resultJson: stored.resultJson,
    classification: request.classification,
    classificationBasis: basisOf(context.folder, request),
    decisionTags: tags.length === 0 ? undefined : tags,
    createdAt: request.createdAt,
    redactionsApplied: redactionNames(stored.applied),
  }
  const text = artifactText(file)
  if (Buffer.byteLength(text) > limits.feedbackFileBytes) {
    const max = limits.feedbackFileBytes
    throw evidenceError('ZCL_E_BOUNDS', `${artifactName.feedback} would be over ${max} bytes`)
  }
  refuseLink(context.folder, artifactName.feedback)
  const witnessed = await announceWrite(context.folder, 'feedback', [text])
  await writeFileAtomic(path.join(context.folder, artifactName.feedback), text)
  await witnessed.confirm()
  return { file, bypassSuspected }
}

interface StoredResult {
  result?: string
  resultJson?: unknown
  applied: readonly string[]
}

function storedResult(request: FeedbackRequest, redactor: Redactor): StoredResult {
  const { result, resultJson } = request
  if (resultJson === undefined) {
    refuseOversize(result ?? '')
    const { text, applied } = redactor.text(result ?? '')
    refuseOversize(text)
    return { result: text, applied }
  }
  const parsed = parseJsonArgument(resultJson, '--result-json')
  refuseOversize(canonicalInput(parsed))
  const { value, applied } = redactor.value(parsed)
  refuseOversize(canonicalInput(value))
  return { resultJson: canonicalValue(value), applied }
}

function refuseOversize(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= limits.resultBytes) return
  const message = `the result has ${bytes} bytes, at most ${limits.resultBytes} are kept`
  throw evidenceError('ZCL_E_BOUNDS', message)
}

function hasNoAction(folder: string): boolean {
  requireRegularStream(folder, artifactName.trace)
  return readLastLine(path.join(folder, artifactName.trace)) === undefined
}

/** Throws if the suite of the run expects another type of result. */
function checkSuite(context: AttemptContext, stored: StoredResult): void {
  const runFolder = runFolderOfAttempt(context.folder)
  if (runFolder === undefined) return
  const read = readJsonArtifact({ path: runFolder, within: runFolder }, artifactName.suite)
  if (read.failure !== undefined) return
  const suite = normaliseSuite(read.value, artifactName.suite)
  const expected = findMission(suite, context.identity.missionId)?.expects?.result
  if (expected === undefined) return
  const [first] = resultShapeFailures(expected, stored)
  if (first !== undefined) throw evidenceError(first.code, first.message)
}

/** `trace` if a measured finding has the same classification, else `hypothesis`. */
function basisOf(folder: string, request: FeedbackRequest): FeedbackFile['classificationBasis'] {
  const { classification } = request
  if (classification === undefined) return undefined
  if (request.isHypothesis) return 'hypothesis'
  const { friction } = summariseTrace({ path: folder, within: folder }, artifactName.trace, {
    strict: false,
    level: 'action',
  })
  const backed = friction
    .findings()
    .some((found) => found.basis === 'measured' && found.classification === classification)
  return backed ? 'trace' : 'hypothesis'
}
