// Imports logs of other programs as a run with attempts: calls, messages, outcomes and usage. The same log
// gives the same run, so a second import finds it.
import { createHash } from 'node:crypto'
import { existsSync, promises } from 'node:fs'
import path from 'node:path'
import { flushFolder, writeFileAtomic, writeJsonAtomic } from '@zee/core/atomic-file'
import { cutToBytes } from '@zee/core/bounded'
import { canonicalJson } from '@zee/core/canonical-json'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { isRunId, kebabId, newRunId } from '@zee/core/ids'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { withLock } from '@zee/core/lock'
import type { Redactor } from '@zee/core/redact'
import { listFolder } from '../artifact/artifact.ts'
import { attemptFromEnvironment } from '../attempt/attempt.ts'
import { evidenceError } from '../errors/errors.ts'
import { isDeeperThan, maxJsonDepth, withoutDeepMembers } from '../json/json.ts'
import { artifactName, attemptsFolder, runFolder, runsFolder } from '../layout/layout.ts'
import { timeOf, writeMessages } from '../messages/messages.ts'
import { writeFeedback } from '../outcome/outcome.ts'
import { judgeReport, type JudgedOutcome } from '../judgement/judgement.ts'
import { ensureRun, importMarkName, isBeingImported, startAttempt } from '../runs/runs.ts'
import { limits } from '../schema/limits.ts'
import type { ImportFormat } from '../schema/vocabulary.ts'
import { appendTraceEvents, noOutput, prepareInput, traceEvent } from '../trace/trace.ts'
import type { AttemptIdentity } from '../attempt/attempt.ts'
import type { ImportedAttempt, ImportedCall, ImportedRun } from './imported.ts'
import { ImportSource } from './source.ts'

export interface ImportRequest {
  format: ImportFormat
  /** Absolute path of the log. */
  path: string
  /** Absolute. */
  outRoot: string
  /** Name of the suite, instead of that of the log. */
  suite: string | undefined
  env: Readonly<Record<string, string | undefined>>
  redactor: Redactor
  now: Date
}

export interface ImportResult {
  runId: string
  suiteId: string
  runFolder: string
  /** False if the run was there already. */
  isNew: boolean
  attempts: {
    attemptId: string
    missionId: string
    ok: boolean | null
    outcome: JudgedOutcome
    calls: number
    messages: number
  }[]
  /** Records that have no place in an attempt, by kind. */
  unmapped: Record<string, number>
}

type Read = (source: ImportSource) => Promise<ImportedRun>

const readers: Readonly<Record<ImportFormat, () => Promise<Read>>> = {
  inspect: async () => (await import('./inspect.ts')).readInspect,
  harbor: async () => (await import('./harbor.ts')).readHarbor,
  atif: async () => (await import('./atif.ts')).readAtif,
  promptfoo: async () => (await import('./promptfoo.ts')).readPromptfoo,
  otlp: async () => (await import('./otlp.ts')).readOtlp,
  codex: () => agentLog('codex'),
  claude: () => agentLog('claude'),
  opencode: () => agentLog('opencode'),
  gemini: () => agentLog('gemini'),
  pi: () => agentLog('pi'),
}

async function agentLog(program: 'codex' | 'claude' | 'opencode' | 'gemini' | 'pi'): Promise<Read> {
  const { readAgentLog } = await import('./agent-log.ts')
  return (source) => readAgentLog(program, source)
}

export async function importLog(request: ImportRequest): Promise<ImportResult> {
  if (request.suite !== undefined && idOf(request.suite, '') === '') {
    throw evidenceError('ZCL_E_USAGE', `--suite '${request.suite}' has no usable character`)
  }
  const source = new ImportSource(request.path, request.env)
  if (!existsSync(request.path)) {
    throw evidenceError('ZCL_E_USAGE', `${request.path} does not exist`)
  }
  const read = await readers[request.format]()
  const run = await readOrRefuse(read, source, request.format)
  if (run.attempts.length === 0) {
    throw evidenceError('ZCL_E_USAGE', `${request.path} holds no attempt of ${request.format}`)
  }
  return store(run, request)
}

/** A log of another shape is a typed error, whatever its reader stumbled over. */
async function readOrRefuse(
  read: Read,
  source: ImportSource,
  format: ImportFormat,
): Promise<ImportedRun> {
  try {
    return await read(source)
  } catch (error) {
    if (error instanceof ZeeError && error.code !== 'no_logs') throw error
    const found = error instanceof ZeeError ? 'holds no log' : 'is not a log'
    throw evidenceError('ZCL_E_USAGE', `${source.path} ${found} of ${format}`, error)
  }
}

async function store(run: ImportedRun, request: ImportRequest): Promise<ImportResult> {
  const { outRoot } = request
  const hash = hashOf(run, request)
  ensureFolder(outRoot)
  return withLock(path.join(outRoot, `.import-${hash}.lock`), {}, async () => {
    const runId = runIdOf(run, hash, request)
    try {
      return await storeRun(run, runId, request)
    } catch (error) {
      await removeUnfinished(runFolder(outRoot, runId), error)
      throw error
    }
  })
}

/** Removes the run of a failed import; says so if a part of it may be left. */
async function removeUnfinished(folder: string, cause: unknown): Promise<void> {
  try {
    if (isUnfinished(folder)) await promises.rm(folder, { recursive: true, force: true })
  } catch {
    const left = `a part of the run may be left in ${folder}; the next import of the log replaces it`
    throw evidenceError('ZCL_E_IO', `${reasonOf(cause)}; ${left}`, cause)
  }
}

/** Whether a run has no attempt, or an import of it has not ended. */
function isUnfinished(folder: string): boolean {
  const isEmpty = (listFolder(attemptsFolder(folder)) ?? []).length === 0
  return isEmpty || isBeingImported(folder)
}

async function storeRun(
  run: ImportedRun,
  runId: string,
  request: ImportRequest,
): Promise<ImportResult> {
  const { outRoot } = request
  const suiteId = idOf(request.suite ?? run.suite, request.format)
  const folder = runFolder(outRoot, runId)
  const mark = path.join(folder, importMarkName)
  const isNew = isUnfinished(folder)
  const created = dateOf(run.createdAt) ?? request.now
  if (isNew) {
    if (isBeingImported(folder)) await promises.rm(folder, { recursive: true })
    await ensureRun({ outRoot, runId, suiteId, suite: undefined, now: created })
    await writeFileAtomic(mark, '')
  }
  const attempts: ImportResult['attempts'] = []
  const unmapped = new UnmappedKinds(request.redactor)
  unmapped.add(run.unmapped)
  for (const [index, attempt] of run.attempts.entries()) {
    const missionId = idOf(request.redactor.text(attempt.mission).text, `mission-${index + 1}`)
    unmapped.add(attempt.unmapped)
    const place = { runId, suiteId, missionId, index: index + 1 }
    const stored = { calls: attempt.calls.length, messages: attempt.messages.length }
    const attemptId = isNew
      ? await storeAttempt(attempt, place, request)
      : attemptIdAt(place, attempt.retry)
    const { outcome } = judgeReport({ ...attempt.outcome })
    attempts.push({ attemptId, missionId, ok: attempt.outcome?.ok ?? null, outcome, ...stored })
  }
  if (isNew) {
    await promises.rm(mark)
    await flushFolder(folder)
  }
  return { runId, suiteId, runFolder: folder, isNew, attempts, unmapped: unmapped.counts() }
}

/** More kinds are counted together: names in a log may be of any number. */
const maxKinds = 50

class UnmappedKinds {
  readonly #redactor: Redactor
  readonly #counts = new Map<string, number>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  add(kinds: Readonly<Record<string, number>>): void {
    for (const [kind, count] of Object.entries(kinds)) {
      const { text } = this.#redactor.text(kind)
      const isKnown = this.#counts.has(text) || this.#counts.size < maxKinds
      const key = isKnown ? text : 'of other kinds'
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
    }
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}

interface Place {
  runId: string
  suiteId: string
  missionId: string
  index: number
}

function attemptIdAt({ index, missionId }: Place, retry: number): string {
  return `${String(index).padStart(3, '0')}-${missionId}-r${retry}`
}

async function storeAttempt(
  attempt: ImportedAttempt,
  { runId, suiteId, missionId, index }: Place,
  request: ImportRequest,
): Promise<string> {
  const { outRoot, redactor, format } = request
  const startedAt = dateOf(attempt.startedAt) ?? request.now
  const { attemptId, folder } = await startAttempt({
    outRoot,
    runId,
    suiteId,
    missionId,
    index,
    retry: attempt.retry,
    ...(attempt.sourceId === undefined ? {} : { agentId: redactor.text(attempt.sourceId).text }),
    mode: 'discovery',
    prompt: attempt.prompt === undefined ? undefined : redactor.text(attempt.prompt).text,
    // The source graded the outcome, so it needs no recorded action.
    settings: { allowUnproven: true, imported: format },
    now: startedAt,
  })
  const context = attemptFromEnvironment({}, outRoot, folder)
  const fallbackTs = rfc3339(startedAt)
  await appendCalls(attempt.calls, context.identity, { folder, fallbackTs, redactor })
  await writeMessages(folder, context.identity, attempt.messages, { redactor, fallbackTs })
  await writeNumbers(attempt, folder, request)
  const { outcome } = attempt
  if (outcome !== undefined) {
    const createdAt = timeOf(attempt.endedAt) ?? lastTime(attempt) ?? fallbackTs
    await writeFeedback(context, { ...resultOf(outcome, redactor), createdAt }, redactor)
  }
  return attemptId
}

const maxOpBytes = 200

async function appendCalls(
  calls: readonly ImportedCall[],
  identity: AttemptIdentity,
  at: { folder: string; fallbackTs: string; redactor: Redactor },
): Promise<void> {
  const events = calls.map((call) => {
    const out = Buffer.from(call.output)
    const failure = call.exitCode === undefined ? 'TOOL_ERROR' : 'ZCL_E_TOOL_FAILED'
    return traceEvent(
      identity,
      {
        tool: call.tool,
        op: at.redactor.cut(call.op, maxOpBytes).text,
        startedAt: dateOf(call.ts) ?? new Date(at.fallbackTs),
        input: prepareInput(withoutDeepMembers({ input: call.input }).input, at.redactor),
        result: {
          ok: !call.isError,
          ...(call.isError ? { code: failure } : {}),
          exitCode: call.exitCode,
          durationMs: call.durationMs ?? 0,
        },
        out: out.length === 0 ? noOutput : { bytes: out.length, head: out },
        err: noOutput,
      },
      at.redactor,
    )
  })
  const { failure } = await appendTraceEvents(at.folder, events)
  if (failure !== undefined) throw failure
  const trace = path.join(at.folder, artifactName.trace)
  if (events.length === 0) await writeFileAtomic(trace, '')
}

async function writeNumbers(
  { agent, numbers, sourceId }: ImportedAttempt,
  folder: string,
  { format, path: log, redactor }: ImportRequest,
): Promise<void> {
  const runner = agent ?? format
  const metrics = redactor.value({ schemaVersion: 1, runner, ...numbers }).value as object
  await writeJsonAtomic(path.join(folder, artifactName.runnerMetrics), metrics)
  const { identity } = attemptFromEnvironment({}, folder, folder)
  const { runId, suiteId, missionId, attemptId } = identity
  const ids = { runId, suiteId, missionId, attemptId }
  const session = sourceId === undefined ? {} : { sessionId: redactor.text(sourceId).text }
  const ref = { schemaVersion: 1, runner, ...ids, rolloutPath: log, ...session }
  await writeJsonAtomic(path.join(folder, artifactName.runnerRef), ref)
}

/** A result above its cap keeps its beginning. Redacted first: a secret that a cut shortens is not found. */
function resultOf(
  { ok, result, resultJson }: NonNullable<ImportedAttempt['outcome']>,
  redactor: Redactor,
) {
  const rest = { ok, isHypothesis: false, decisionTags: [], byHarness: true }
  if (resultJson === undefined) {
    return { ...rest, result: redactor.cut(result ?? '', limits.resultBytes / 4).text }
  }
  const shown = isDeeperThan(resultJson, maxJsonDepth) ? '[TRUNCATED]' : resultJson
  const { value } = redactor.value(shown)
  const text = canonicalJson(value)
  if (Buffer.byteLength(text) <= limits.resultBytes / 2) return { ...rest, resultJson: text }
  return { ...rest, resultJson: canonicalJson({ truncated: cutToBytes(text, 4096).text }) }
}

function lastTime({ calls }: ImportedAttempt): string | undefined {
  return timeOf(calls.at(-1)?.ts)
}

function dateOf(text: string | undefined): Date | undefined {
  return parseRfc3339(timeOf(text) ?? '') ?? undefined
}

function idOf(text: string, fallback: string): string {
  try {
    return kebabId(text) || fallback
  } catch {
    return fallback
  }
}

/** The time of the log, and a hash of its content and place in the suite. */
function runIdOf(run: ImportedRun, hash: string, { outRoot, now }: ImportRequest): string {
  const created = dateOf(run.createdAt)
  // A log without a time has that of its first import.
  const known = created === undefined ? (listFolder(runsFolder(outRoot)) ?? []) : []
  const found = known.find(({ name }) => isRunId(name) && name.endsWith(`-${hash}`))
  const time = newRunId(created ?? now)
  return found?.name ?? time.slice(0, -6) + hash
}

/** Hashes one attempt at a time, because the text of all may be too long. */
function hashOf(run: ImportedRun, { format, suite }: ImportRequest): string {
  const hash = createHash('sha256')
  hash.update(canonicalJson([format, suite ?? null]))
  hash.update(JSON.stringify({ ...run, attempts: [] }))
  for (const { calls, ...attempt } of run.attempts) {
    hash.update(JSON.stringify({ ...attempt, outcome: withoutDeepMembers({ ...attempt.outcome }) }))
    for (const call of calls) hash.update(JSON.stringify(withoutDeepMembers({ ...call })))
  }
  return hash.digest('hex').slice(0, 6)
}
