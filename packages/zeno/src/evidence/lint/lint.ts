// Finds inconsistencies within the ledgers of a thread, without reading the cited files.
import { readBoundedFile } from '@zee/core/bounded-file'
import { fileError, ZeeError } from '@zee/core/errors'
import { readLedger } from '../ledger.ts'
import type { Ledger, LedgerRow } from '../ledger.ts'
import { isObject } from '@zee/core/json'

export interface LintOptions {
  evidence?: string | undefined
  claims?: string | undefined
  state?: string | undefined
}

const budgetNames = ['retrieval_ops', 'read_lines', 'grep_hits']

/** Returns one line per finding. */
export function lintThread({ evidence, claims, state }: LintOptions): string[] {
  const findings: string[] = []
  const keys = new Set<string>()
  if (evidence !== undefined) {
    findings.push(...lintEvidence(evidence, readLedger(evidence), keys))
  }
  if (claims !== undefined) {
    const evidenceKeys = evidence === undefined ? undefined : keys
    findings.push(...lintClaims(claims, readLedger(claims), evidenceKeys))
  }
  if (state !== undefined) findings.push(...lintState(state))
  return findings
}

/** An id identifies evidence and claims within one turn. */
function keyOf({ turn_id: turn }: LedgerRow['row'], id: string): string {
  return JSON.stringify([isNonEmptyString(turn) ? turn : '', id])
}

function lintEvidence(file: string, ledger: Ledger, keys: Set<string>): string[] {
  const findings = lintBadLines(file, ledger)
  for (const { line, row } of ledger.rows) {
    const add = (text: string): void => void findings.push(`${file}:${line}: ${text}`)
    if (!isNonEmptyString(row.evidence_id)) add('evidence without evidence_id')
    else if (keys.has(keyOf(row, row.evidence_id)))
      add(`evidence_id ${row.evidence_id} is used twice`)
    else keys.add(keyOf(row, row.evidence_id))
    const name = isNonEmptyString(row.evidence_id) ? row.evidence_id : 'evidence'
    const problems = kindProblems(row)
    for (const problem of problems) add(`${name} ${problem}`)
    // Evidence that cites nothing has nothing to hash.
    if (problems.length === 0 && !isNonEmptyString(row.hash)) add(`${name} has no hash`)
  }
  return findings
}

function kindProblems(row: LedgerRow['row']): string[] {
  const missing = (field: string, isPresent: boolean): string[] =>
    isPresent ? [] : [`has no ${field}`]
  if (!isNonEmptyString(row.kind)) return ['has no kind']
  if (row.kind === 'read') {
    return [...missing('path', isNonEmptyString(row.path)), ...missing('lines', isRange(row.lines))]
  }
  if (row.kind === 'grep') {
    return [
      ...missing('pattern', isNonEmptyString(row.pattern)),
      ...missing('hit', isNonEmptyString(row.hit)),
    ]
  }
  return [`has the unknown kind ${row.kind}`]
}

function lintClaims(file: string, ledger: Ledger, evidenceKeys: Set<string> | undefined): string[] {
  const findings = lintBadLines(file, ledger)
  const seen = new Set<string>()
  for (const { line, row } of ledger.rows) {
    const add = (text: string): void => void findings.push(`${file}:${line}: ${text}`)
    const name = isNonEmptyString(row.claim_id) ? row.claim_id : 'claim'
    if (!isNonEmptyString(row.claim_id)) add('claim without claim_id')
    else if (seen.has(keyOf(row, row.claim_id))) add(`claim_id ${row.claim_id} is used twice`)
    else seen.add(keyOf(row, row.claim_id))
    if (!Array.isArray(row.evidence) || row.evidence.length === 0) add(`${name} has no evidence`)
    else {
      const unknown = row.evidence.filter(
        (id) => evidenceKeys !== undefined && !isKnown(evidenceKeys, row, String(id)),
      )
      for (const id of unknown) add(`${name} cites unknown evidence ${String(id)}`)
    }
  }
  return findings
}

/** Evidence of the same turn, or evidence without a turn. */
function isKnown(keys: ReadonlySet<string>, row: LedgerRow['row'], id: string): boolean {
  return keys.has(keyOf(row, id)) || keys.has(keyOf({}, id))
}

function lintState(file: string): string[] {
  let state: unknown
  try {
    state = JSON.parse(readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return [`${file}: is not JSON`]
    const { code, message } = fileError('read', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
  if (!isObject(state)) return [`${file}: is not a JSON object`]
  const budgets = isObject(state.budgets) ? state.budgets : {}
  return budgetNames.flatMap((name) => {
    const [used, max] = [Number(budgets[`${name}_used`]), Number(budgets[`${name}_max`])]
    return used > max ? [`${file}: ${name}_used ${used} is above ${name}_max ${max}`] : []
  })
}

function lintBadLines(file: string, { badLines }: Ledger): string[] {
  return badLines.map((line) => `${file}:${line}: is not a JSON object`)
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isRange(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each))
}
