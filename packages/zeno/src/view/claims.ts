// Collects claims from the trace and from ledgers and checks the evidence of each like `zeno verify`.
// Evidence may also be the id of a request, which is then run again.
import path from 'node:path'
import type { ClaimFacts, EvidenceFacts } from '@zee/web/data'
import { openCorpusEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine.ts'
import { checkEvidence, readLedger } from '../evidence/evidence.ts'
import type { LedgerRow } from '../evidence/evidence.ts'
import { createService } from '../service/service.ts'
import { resultSha256 } from '../trace/trace.ts'
import type { TracedRequest, TraceReading } from './trace-steps.ts'
import { stepTitle } from './step-title.ts'
import type { TrajectorySource } from './trajectory.ts'
import { isObject } from '@zee/core/json'

type Row = Readonly<Record<string, unknown>>

const maxClaims = 2000

export async function collectClaims(
  trace: TraceReading,
  source: TrajectorySource,
  engine: Engine | undefined,
): Promise<ClaimFacts[]> {
  const checker = new EvidenceChecker(trace, source, engine)
  const claims: ClaimFacts[] = []
  for (const { line, row, isTraced } of claimRows(trace, source).slice(0, maxClaims)) {
    const cited = Array.isArray(row.evidence) ? row.evidence : []
    const evidence: EvidenceFacts[] = []
    for (const each of cited) evidence.push(await checker.check(each, row.turn_id))
    claims.push({
      id: typeof row.claim_id === 'string' ? row.claim_id : `line ${line}`,
      text: typeof row.claim === 'string' ? row.claim : JSON.stringify(row.claim ?? ''),
      confidence: nonEmptyString(row.confidence),
      line: isTraced ? line : undefined,
      evidence,
    })
  }
  return claims
}

function claimRows(trace: TraceReading, { claims }: TrajectorySource) {
  const traced = trace.events
    .filter(({ row }) => row.event === 'claim')
    .map((each) => ({ ...each, isTraced: true }))
  const stored = claims === undefined ? [] : readLedger(claims).rows
  return [...traced, ...stored.map((each) => ({ ...each, isTraced: false }))]
}

class EvidenceChecker {
  readonly #rows = new Map<string, LedgerRow['row']>()
  readonly #requests = new Map<string, TracedRequest>()
  readonly #engine: Engine | undefined
  readonly #source: TrajectorySource
  readonly #checked = new Map<string, EvidenceFacts>()

  constructor(trace: TraceReading, source: TrajectorySource, engine: Engine | undefined) {
    this.#engine = engine
    this.#source = source
    const stored = source.evidence === undefined ? [] : readLedger(source.evidence).rows
    const traced = trace.events.filter(({ row }) => row.event === 'evidence')
    for (const { row } of [...traced, ...stored]) {
      if (typeof row.evidence_id === 'string') {
        this.#rows.set(keyOf(row.turn_id, row.evidence_id), row)
        this.#rows.set(row.evidence_id, row)
      }
    }
    for (const request of trace.requests) this.#requests.set(idText(request.id), request)
  }

  /** Checks one citation of a turn: an id, or an inline evidence row. */
  async check(cited: unknown, turn: unknown): Promise<EvidenceFacts> {
    if (isObject(cited)) return this.#checkRow(String(cited.evidence_id ?? ''), cited)
    const id = idText(cited)
    const key = keyOf(turn, id)
    const facts = this.#checked.get(key) ?? (await this.#resolve(id, key))
    this.#checked.set(key, facts)
    return facts
  }

  async #resolve(id: string, key: string): Promise<EvidenceFacts> {
    const row = this.#rows.get(key) ?? this.#rows.get(id)
    if (row !== undefined) return this.#checkRow(id, row)
    const request = this.#requests.get(id)
    if (request !== undefined) return this.#rerun(id, request)
    return { id, kind: '', status: 'unknown', detail: 'no evidence and no request has this id' }
  }

  async #checkRow(id: string, row: Row): Promise<EvidenceFacts> {
    const kind = typeof row.kind === 'string' ? row.kind : ''
    const why = nonEmptyString(row.why)
    if (this.#engine === undefined)
      return { id, kind, at: citedLocation(row), why, status: 'unchecked' }
    const { root = '', clock } = this.#source
    const openFile = (file: string): Engine =>
      openCorpusEngine({ root: path.join(root, file), clock })
    const { status, at, detail } = await checkEvidence({ ...row }, this.#engine, openFile)
    return { id, kind, at, why, status, detail }
  }

  /** Runs a recorded request again; its answer must have the recorded hash. */
  async #rerun(id: string, request: TracedRequest): Promise<EvidenceFacts> {
    const facts = {
      id,
      kind: 'request',
      at: stepTitle(request.op, request.args),
      line: request.line,
    }
    if (request.ok !== true)
      return { ...facts, status: 'invalid', detail: 'the request was not answered' }
    if (this.#engine === undefined) return { ...facts, status: 'unchecked' }
    if (request.isRedacted || request.resultSha256 === undefined) {
      return { ...facts, status: 'unchecked', detail: 'the trace does not hold enough to check it' }
    }
    const service = createService({ engine: this.#engine, clock: this.#source.clock })
    const answer = await service.answer({ id: request.id, op: request.op, args: request.args })
    if (!answer.outcome.ok)
      return { ...facts, status: 'changed', detail: answer.outcome.error.message }
    const isSame = resultSha256(answer.facts?.body ?? '') === request.resultSha256
    return isSame
      ? { ...facts, status: 'ok' }
      : { ...facts, status: 'changed', detail: 'the answer differs' }
  }
}

/** An id identifies evidence within one turn. */
function keyOf(turn: unknown, id: string): string {
  return JSON.stringify([nonEmptyString(turn) ?? '', id])
}

function citedLocation({ path: file, lines, hit }: Row): string | undefined {
  if (typeof hit === 'string') return hit
  if (typeof file !== 'string') return undefined
  return Array.isArray(lines) ? `${file}:${lines.map(String).join('-')}` : file
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id ?? null)
}
