// Stores the output of `zcl run --capture` beside the trace: capped, redacted unless raw capture is
// allowed, and listed in captures.jsonl with its hash.
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { cutBuffer } from '@zee/core/bounded'
import { rfc3339 } from '@zee/core/clock'
import { ensureDurableFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'
import { lockedAppend } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import type { AttemptContext } from '@zee/evidence/attempt'
import { artifactName, captureFolderName } from '@zee/evidence/layout'
import { isTornLine, redactionNames, requireRegularStream, storedText } from '@zee/evidence/trace'
import type { PreparedInput } from '@zee/evidence/trace'
import { zclError } from '../errors/errors.ts'

export interface CaptureRequest {
  context: AttemptContext
  input: PreparedInput
  redactor: Redactor
  startedAt: Date
  raw: boolean
  maxBytes: number
  stdout: CapturedStream
  stderr: CapturedStream
}

interface CapturedStream {
  bytes: number
  capture: Buffer
}

export interface StoredCapture {
  /** For the trace event. */
  summary: Record<string, unknown>
  /** For the envelope. */
  envelope: Record<string, unknown>
}

interface StoredStream {
  path: string
  bytes: number
  sha256: string
  truncated: boolean
  applied: readonly string[]
}

export async function storeCapture(request: CaptureRequest): Promise<StoredCapture> {
  const { context, raw, maxBytes } = request
  makeCaptureFolder(context.folder)
  const stamp = rfc3339(request.startedAt).replace(/[-:.]/g, '')
  const name = `${captureFolderName}/${stamp}-${randomHex(4)}`
  const out = await storeStream(request, request.stdout, `${name}.stdout.log`)
  const err = await storeStream(request, request.stderr, `${name}.stderr.log`)
  const details = {
    stdoutPath: out.path,
    stderrPath: err.path,
    stdoutBytes: out.bytes,
    stderrBytes: err.bytes,
    stdoutSha256: out.sha256,
    stderrSha256: err.sha256,
    stdoutTruncated: out.truncated,
    stderrTruncated: err.truncated,
    redacted: !raw,
  }
  await appendIndex(request, details, redactionNames(out.applied, err.applied))
  return {
    summary: { ...details, maxBytes },
    envelope: {
      capturedStdoutPath: out.path,
      capturedStderrPath: err.path,
      capturedStdoutBytes: out.bytes,
      capturedStderrBytes: err.bytes,
      capturedStdoutTruncated: out.truncated,
      capturedStderrTruncated: err.truncated,
      captureMaxBytes: maxBytes,
    },
  }
}

/** Refuses symbolic links, which would place the output outside the attempt. */
function makeCaptureFolder(folder: string): void {
  ensureDurableFolder(path.join(folder, captureFolderName))
  for (const part of [path.dirname(captureFolderName), captureFolderName]) {
    const subfolder = path.join(folder, part)
    if (lstatSync(subfolder).isSymbolicLink()) {
      throw zclError('ZCL_E_CONTAINMENT', `${subfolder} is a link`)
    }
  }
}

async function storeStream(
  { context, raw, maxBytes, redactor }: CaptureRequest,
  stream: CapturedStream,
  name: string,
): Promise<StoredStream> {
  const content = raw ? cut(stream, maxBytes) : redacted(stream, maxBytes, redactor)
  await writeFileAtomic(path.join(context.folder, name), content.bytes, { mode: 0o600 })
  return {
    path: name,
    bytes: content.bytes.length,
    sha256: createHash('sha256').update(content.bytes).digest('hex'),
    truncated: content.truncated,
    applied: content.applied,
  }
}

interface CutStream {
  bytes: Uint8Array
  applied: readonly string[]
  truncated: boolean
}

function cut({ bytes, capture }: CapturedStream, maxBytes: number): CutStream {
  const content = cutBuffer(capture, maxBytes)
  return { bytes: content, applied: [], truncated: content.length < bytes }
}

function redacted(
  { bytes, capture }: CapturedStream,
  maxBytes: number,
  redactor: Redactor,
): CutStream {
  const { text, applied, truncated } = storedText({ bytes, head: capture }, maxBytes, redactor)
  return { bytes: Buffer.from(text), applied, truncated }
}

async function appendIndex(
  request: CaptureRequest,
  details: Record<string, unknown>,
  redactionsApplied: string[],
): Promise<void> {
  const { folder, identity } = request.context
  const { runId, suiteId, missionId, attemptId, agentId } = identity
  const ts = rfc3339(request.startedAt)
  const head = { v: 1, ts, runId, suiteId, missionId, attemptId, agentId, tool: 'cli', op: 'exec' }
  const tail = { ...details, redactionsApplied, maxBytes: request.maxBytes }
  const line = `${JSON.stringify(head).slice(0, -1)},"input":${request.input.json},${JSON.stringify(tail).slice(1)}`
  requireRegularStream(folder, artifactName.captures)
  await lockedAppend(path.join(folder, artifactName.captures), () => line, {
    isOwnTail: (tail) => isTornLine(tail, runId),
  })
}
