// Answers a call of `zcl run` from a recorded trace instead of running the command. The event of a served
// call has the recorded answer, so that a fork without a patch leaves the same evidence.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import type { Redactor } from '@zee/core/redact'
import type { AttemptContext, AttemptIdentity } from '@zee/evidence/attempt'
import type { StoredEvent } from '@zee/evidence/events'
import { asObject } from '@zee/evidence/json'
import { appendTraceEvent, recordingFailure, traceEvent } from '@zee/evidence/trace'
import type { PreparedInput, TraceEvent } from '@zee/evidence/trace'
import { zclError } from '../errors/errors.ts'
import { cliQuestion, openServed, readServePlan, servedFileName } from '../served/served.ts'
import type { Patch } from '../served/served.ts'

export interface ServedCall {
  host: Host
  redactor: Redactor
  input: PreparedInput
  /** The plan or attempt whose answers are served. */
  plan: string
  /** The journal of served calls outside an attempt. */
  state: string | undefined
  /** Undefined outside an attempt: nothing is recorded then. */
  recorded:
    | { context: AttemptContext; startedAt: Date; id: string; parentId: string | undefined }
    | undefined
}

interface CliAnswer {
  stdout: Buffer
  stderr: Buffer
  exitCode: number
}

/** Exit code of a call that the trace does not hold. */
const unrecordedExitCode = 125
const notStartedExitCode = 127

/** The exit code of the served call; undefined if the command must run for real. */
export async function serveCall(call: ServedCall): Promise<number | undefined> {
  const { host, redactor, input, recorded } = call
  const plan = await readServePlan(call.plan, host.cwd)
  const { folder, identity } = recorded?.context ?? {}
  const state = folder === undefined ? call.state : path.join(folder, servedFileName)
  const served = await openServed(plan, redactor, state)
  const answer = await served.answer([cliQuestion(input.json)], identity)
  if (answer.kind === 'live') return undefined
  const content =
    answer.kind === 'recorded' ? contentOf(answer.event, answer.folder, answer.patch) : undefined
  if (answer.kind !== 'recorded' || content === undefined) return refuse(call, answer.kind)
  if (recorded !== undefined) {
    const isPatched = Object.keys(answer.patch ?? {}).length > 0
    const event = isPatched
      ? patchedEvent(call, recorded, content)
      : copiedEvent(answer.event, recorded)
    await append(recorded.context, event)
  }
  await write(host.stdout, content.stdout)
  await write(host.stderr, content.stderr)
  return content.exitCode
}

/** The output to print; undefined if the trace has not kept all of it. */
function contentOf(
  event: StoredEvent,
  folder: string,
  patch: Patch | undefined,
): CliAnswer | undefined {
  const io = asObject(event.record.io)
  const stdout = patch?.stdout ?? recordedText(event, folder, 'stdout', io.outTruncated)
  const stderr = patch?.stderr ?? recordedText(event, folder, 'stderr', io.errTruncated)
  if (stdout === undefined || stderr === undefined) return undefined
  const exitCode = patch?.exitCode ?? event.exitCode ?? notStartedExitCode
  return { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), exitCode }
}

/** The preview, or the capture of output that is longer. */
function recordedText(
  event: StoredEvent,
  folder: string,
  stream: 'stdout' | 'stderr',
  isTruncated: unknown,
): string | Buffer | undefined {
  if (isTruncated !== true) return stream === 'stdout' ? event.outPreview : event.errPreview
  const capture = asObject(event.enrichment.capture)
  const name = capture[`${stream}Path`]
  if (capture[`${stream}Truncated`] !== false || typeof name !== 'string') return undefined
  const file = path.resolve(folder, name)
  if (!file.startsWith(folder + path.sep)) return undefined
  try {
    const content = readFileSync(file)
    const hash = createHash('sha256').update(content).digest('hex')
    return hash === capture[`${stream}Sha256`] ? content : undefined
  } catch {
    return undefined
  }
}

async function refuse(call: ServedCall, kind: 'recorded' | 'unrecorded'): Promise<number> {
  const { host, input, recorded } = call
  const what =
    kind === 'recorded' ? 'its output was not recorded whole' : 'not in the recorded trace'
  if (recorded !== undefined) {
    const result = { ok: false, code: 'ZCL_E_NOT_RECORDED', exitCode: unrecordedExitCode }
    const event = observedEvent(call, recorded, result, { stdout: '', stderr: `${what}\n` }, {})
    await append(recorded.context, event)
  }
  const argv = asObject(JSON.parse(input.json)).argv
  const words = Array.isArray(argv) ? argv.join(' ').slice(0, 200) : ''
  await write(host.stderr, Buffer.from(`ZCL_E_NOT_RECORDED: ${what}: ${words}\n`))
  return unrecordedExitCode
}

type Recorded = NonNullable<ServedCall['recorded']>

function patchedEvent(call: ServedCall, recorded: Recorded, content: CliAnswer): TraceEvent {
  const { stdout, stderr, exitCode } = content
  const result =
    exitCode === 0 ? { ok: true, exitCode } : { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode }
  return observedEvent(call, recorded, result, { stdout, stderr }, { patched: true })
}

function observedEvent(
  { input, redactor }: ServedCall,
  { context, startedAt, id, parentId }: Recorded,
  result: { ok: boolean; code?: string; exitCode: number },
  { stdout, stderr }: { stdout: Buffer | string; stderr: Buffer | string },
  enrichment: Record<string, unknown>,
): TraceEvent {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)]
  return traceEvent(
    context.identity,
    {
      tool: 'cli',
      op: 'exec',
      startedAt,
      input,
      result: { ...result, durationMs: 0 },
      out: { bytes: out.length, head: out },
      err: { bytes: err.length, head: err },
      ...(Object.keys(enrichment).length === 0 ? {} : { enrichment }),
      id,
      parentId,
    },
    redactor,
  )
}

/** The recorded event with the ids and the time of this attempt. */
function copiedEvent({ record }: StoredEvent, recorded: Recorded): TraceEvent {
  const { context, startedAt, id, parentId } = recorded
  const { chain: _chain, parentId: _parent, ...kept } = record
  // The capture belongs to the recorded attempt.
  const { capture: _capture, ...details } = asObject(record.enrichment)
  const line = {
    ...kept,
    ts: rfc3339(startedAt),
    ...idsOf(context.identity),
    ...(Object.keys(details).length === 0 ? { enrichment: undefined } : { enrichment: details }),
    id,
    ...(parentId === undefined ? {} : { parentId }),
  }
  const body = JSON.stringify(line).slice(0, -1)
  const empty = { text: '', truncated: false, applied: [] }
  return {
    runId: context.identity.runId,
    out: empty,
    err: empty,
    redactionsApplied: [],
    line: (previousHash) => `${body},"chain":"${previousHash}"}`,
  }
}

function idsOf({ runId, suiteId, missionId, attemptId, agentId }: AttemptIdentity) {
  return { runId, suiteId, missionId, attemptId, agentId }
}

async function append(context: AttemptContext, event: TraceEvent): Promise<void> {
  try {
    await appendTraceEvent(context.folder, event)
  } catch (error) {
    throw zclError('ZCL_E_IO', recordingFailure(error), error)
  }
}

function write(stream: NodeJS.WriteStream, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return Promise.resolve()
  return new Promise((resolve) => stream.write(bytes, () => resolve()))
}
