// Appends a note: secondary evidence that never changes a score.
import path from 'node:path'
import { canonicalJson } from '@zee/core/canonical-json'
import { rfc3339 } from '@zee/core/clock'
import { lockedAppend } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import type { AttemptContext } from '../attempt/attempt.ts'
import { evidenceError } from '../errors/errors.ts'
import { parseJsonArgument } from '../json/json.ts'
import { artifactName } from '../layout/layout.ts'
import { limits } from '../schema/limits.ts'
import type { noteKinds } from '../schema/vocabulary.ts'
import { isTornLine, redactionNames, requireRegularStream } from '../trace/trace.ts'

export interface NoteRequest {
  kind: (typeof noteKinds)[number]
  /** Exactly one of `message` and `dataJson` is set. */
  message?: string | undefined
  dataJson?: string | undefined
  tags: readonly string[]
  at: Date
}

const maxTags = 64
const maxTagBytes = 64

export async function appendNote(
  context: AttemptContext,
  request: NoteRequest,
  redactor: Redactor,
): Promise<void> {
  const content = contentOf(request, redactor)
  const tags = redactor.value([...new Set(request.tags)])
  checkTags(request.tags)
  const { runId, suiteId, missionId, attemptId, agentId } = context.identity
  const head = {
    v: 1,
    ts: rfc3339(request.at),
    runId,
    suiteId,
    missionId,
    attemptId,
    agentId,
    kind: request.kind,
  }
  const tail = {
    tags: request.tags.length === 0 ? undefined : tags.value,
    redactionsApplied: redactionNames(content.applied, tags.applied),
  }
  // The content is canonical text. An object would reorder integer-like keys such as "10".
  const line = `${JSON.stringify(head).slice(0, -1)},${content.json},${JSON.stringify(tail).slice(1)}`
  requireRegularStream(context.folder, artifactName.notes)
  const file = path.join(context.folder, artifactName.notes)
  const isOwnTail = (tail: Buffer): boolean => isTornLine(tail, runId)
  await lockedAppend(file, () => line, { durability: 'durable', isOwnTail })
}

function contentOf(
  { message, dataJson }: NoteRequest,
  redactor: Redactor,
): { json: string; applied: readonly string[] } {
  if (dataJson === undefined) {
    const { text, applied } = redactor.text(message ?? '')
    refuseOversize(Math.max(byteLength(message ?? ''), byteLength(text)), limits.noteMessageBytes)
    return { json: `"message":${JSON.stringify(text)}`, applied }
  }
  const parsed = parseJsonArgument(dataJson, '--data-json')
  const { value, applied } = redactor.value(parsed)
  const json = canonicalJson(value)
  refuseOversize(
    Math.max(byteLength(canonicalJson(parsed)), byteLength(json)),
    limits.noteDataBytes,
  )
  return { json: `"data":${json}`, applied }
}

function refuseOversize(bytes: number, max: number): void {
  if (bytes <= max) return
  throw evidenceError('ZCL_E_BOUNDS', `the note has ${bytes} bytes, at most ${max} are kept`)
}

function checkTags(tags: readonly string[]): void {
  if (tags.length <= maxTags && tags.every((tag) => byteLength(tag) <= maxTagBytes)) return
  throw evidenceError('ZCL_E_BOUNDS', `at most ${maxTags} tags of ${maxTagBytes} bytes are kept`)
}

function byteLength(text: string): number {
  return Buffer.byteLength(text)
}
