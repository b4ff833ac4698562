// Claims and the evidence behind each: from the trace and from ledgers, checked by what `zeno verify`
// checks with. Evidence may also be the id of a request, which is then asked again.
import path from 'node:path'
import type { ClaimFacts, EvidenceFacts } from '@zee/web/data'
import { openEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine.ts'
import { checkEvidence, readLedger } from '../evidence/evidence.ts'
import type { LedgerRow } from '../evidence/evidence.ts'
import { createService } from '../service/service.ts'
import { resultSha256 } from '../trace/trace.ts'
import type { Asked, TraceReading } from './trace-steps.ts'
import { stepTitle } from './step-title.ts'
import type { TrajectorySource } from './trajectory.ts'
import { isObject } from '@zee/core/json'

type Row = Readonly<Record<string, unknown>>

const mostClaims = 2000

export async function claimsOf(
  trace: TraceReading,
  source: TrajectorySource,
  engine: Engine | undefined,
): Promise<ClaimFacts[]> {
  const checker = new EvidenceChecker(trace, source, engine)
  const claims: ClaimFacts[] = []
  for (const { line, row, isTraced } of claimRows(trace, source).slice(0, mostClaims)) {
    const cited = Array.isArray(row.evidence) ? row.evidence : []
    const evidence: EvidenceFacts[] = []
    for (const each of cited) evidence.push(await checker.check(each))
    claims.push({
      id: typeof row.claim_id === 'string' ? row.claim_id : `line ${line}`,
      text: typeof row.claim === 'string' ? row.claim : JSON.stringify(row.claim ?? ''),
      ...(typeof row.confidence === 'string' && row.confidence !== ''
        ? { confidence: row.confidence }
        : {}),
      ...(isTraced ? { line } : {}),
      evidence,
    })
  }
  return claims
}

function claimRows(trace: TraceReading, { claims }: TrajectorySource) {
  const traced = trace.events
    .filter(({ row }) => row.event === 'claim')
    .map((each) => ({ ...each, isTraced: true }))
  const kept = claims === undefined ? [] : readLedger(claims).rows
  return [...traced, ...kept.map((each) => ({ ...each, isTraced: false }))]
}

class EvidenceChecker {
  readonly #rows = new Map<string, LedgerRow['row']>()
  readonly #asked = new Map<string, Asked>()
  readonly #engine: Engine | undefined
  readonly #source: TrajectorySource
  readonly #known = new Map<string, EvidenceFacts>()

  constructor(trace: TraceReading, source: TrajectorySource, engine: Engine | undefined) {
    this.#engine = engine
    this.#source = source
    const kept = source.evidence === undefined ? [] : readLedger(source.evidence).rows
    const traced = trace.events.filter(({ row }) => row.event === 'evidence')
    for (const { row } of [...traced, ...kept]) {
      if (typeof row.evidence_id === 'string') this.#rows.set(row.evidence_id, row)
    }
    for (const asked of trace.asked) this.#asked.set(idText(asked.id), asked)
  }

  /** A claim cites by id, or says itself what it rests on. */
  async check(cited: unknown): Promise<EvidenceFacts> {
    if (isObject(cited)) return this.#checkRow(String(cited.evidence_id ?? ''), cited)
    const id = idText(cited)
    const known = this.#known.get(id) ?? (await this.#look(id))
    this.#known.set(id, known)
    return known
  }

  async #look(id: string): Promise<EvidenceFacts> {
    const row = this.#rows.get(id)
    if (row !== undefined) return this.#checkRow(id, row)
    const asked = this.#asked.get(id)
    if (asked !== undefined) return this.#askAgain(id, asked)
    return { id, kind: '', status: 'unknown', detail: 'no evidence and no request has this id' }
  }

  async #checkRow(id: string, row: Row): Promise<EvidenceFacts> {
    const kind = typeof row.kind === 'string' ? row.kind : ''
    const why = typeof row.why === 'string' && row.why !== '' ? { why: row.why } : {}
    if (this.#engine === undefined)
      return { id, kind, ...citedPlace(row), ...why, status: 'unchecked' }
    const { root = '', clock } = this.#source
    const openFile = (file: string): Engine => openEngine({ root: path.join(root, file), clock })
    const { status, at, detail } = await checkEvidence({ ...row }, this.#engine, openFile)
    return {
      id,
      kind,
      ...(at === undefined ? {} : { at }),
      ...why,
      status,
      ...(detail === undefined ? {} : { detail }),
    }
  }

  /** The same question must have the same answer as when it was recorded. */
  async #askAgain(id: string, asked: Asked): Promise<EvidenceFacts> {
    const facts = { id, kind: 'request', at: stepTitle(asked.op, asked.args), line: asked.line }
    if (asked.ok !== true)
      return { ...facts, status: 'invalid', detail: 'the request was not answered' }
    if (this.#engine === undefined) return { ...facts, status: 'unchecked' }
    if (asked.isRedacted || asked.resultSha256 === undefined) {
      return { ...facts, status: 'unchecked', detail: 'the trace does not hold enough to check it' }
    }
    const service = createService({ engine: this.#engine, clock: this.#source.clock })
    const answer = await service.answer({ id: asked.id, op: asked.op, args: asked.args })
    if (!answer.outcome.ok)
      return { ...facts, status: 'changed', detail: answer.outcome.error.message }
    const isSame = resultSha256(answer.facts?.body ?? '') === asked.resultSha256
    return isSame
      ? { ...facts, status: 'ok' }
      : { ...facts, status: 'changed', detail: 'the answer differs' }
  }
}

function citedPlace({ path: file, lines, hit }: Row): { at?: string } {
  if (typeof hit === 'string') return { at: hit }
  if (typeof file !== 'string') return {}
  return { at: Array.isArray(lines) ? `${file}:${lines.map(String).join('-')}` : file }
}

function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id ?? null)
}
