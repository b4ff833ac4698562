// Citations such as [E3] in an answer: found, checked against the files by hash, and missing ones marked.
import type { Evidence, EvidenceLedger } from '../evidence/evidence.ts'
import { locationOf, sha256 } from '../evidence/evidence.ts'

/** Reads lines of a file again, and repeats a search. */
export interface EvidenceSource {
  /** Undefined if the lines do not exist any more. */
  readLines(path: string, start: number, end: number): Promise<string | undefined>
  hasHits(args: Record<string, unknown>): Promise<boolean>
}

export interface CheckedCitation {
  id: string
  evidence?: Evidence
  /** Undefined if the citation holds. */
  problem?: string
}

const group = /\[\s*E\d+(?:\s*[,;]\s*E\d+)*\s*\]/g

/** The ids that a text cites, in order, each once. */
export function citedIds(text: string): string[] {
  const groups = text.match(group) ?? []
  return [...new Set(groups.flatMap((each) => each.match(/E\d+/g) ?? []))]
}

export async function checkCitations(
  text: string,
  ledger: EvidenceLedger,
  source: EvidenceSource,
): Promise<CheckedCitation[]> {
  const checked: CheckedCitation[] = []
  for (const id of citedIds(text)) {
    const evidence = ledger.find(id)
    if (evidence === undefined) checked.push({ id, problem: `${id} was never shown` })
    else {
      const problem = await problemOf(evidence, source)
      checked.push({ id, evidence, problem })
    }
  }
  return checked
}

async function problemOf(evidence: Evidence, source: EvidenceSource): Promise<string | undefined> {
  const at = locationOf(evidence)
  if (evidence.kind === 'absence') {
    return (await source.hasHits(evidence.args)) ? `${at}: there are hits now` : undefined
  }
  const text = await source.readLines(evidence.path, ...evidence.lines)
  if (text === undefined) return `${at} cannot be read any more`
  return sha256(text) === evidence.hash ? undefined : `${at} has changed since it was read`
}

export interface MarkedAnswer {
  text: string
  /** Claims without a valid citation. */
  unverified: number
}

const mark = '[unverified]'

/** Marks every claim that cites nothing, or only ids in `wrong`. */
export function markClaims(text: string, wrong: ReadonlySet<string>): MarkedAnswer {
  let unverified = 0
  let isCode = false
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode || !isProse(line)) return line
    const marked = sentencesOf(line).map((sentence) => {
      if (!isClaim(sentence) || citedIds(sentence).some((id) => !wrong.has(id))) return sentence
      unverified++
      return `${sentence.trimEnd()} ${mark}${/\s*$/.exec(sentence)?.[0] ?? ''}`
    })
    return marked.join('')
  })
  return { text: lines.join('\n'), unverified }
}

/** Headings, fences, rules and lines that introduce a list claim nothing. */
function isProse(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:#{1,6}\s|```|~~~|\|?[-:| ]+\|?$)/.test(line)
}

function isClaim(sentence: string): boolean {
  const text = sentence.replace(group, '').trim()
  if (!/\p{L}|\p{N}/u.test(text)) return false
  return !/[?:]$/.test(text.replace(/[*_`\s]+$/, ''))
}

/** Splits a line into sentences; citations after a full stop belong to the sentence before it. */
function sentencesOf(line: string): string[] {
  const parts = line.split(/(?<=[.!?]["')\]*_]*\s+)(?=[\p{Lu}\p{N}"'(`*_[])/u)
  const sentences: string[] = []
  for (const part of parts) {
    const [lead = ''] = /^(?:\[\s*E\d+(?:\s*[,;]\s*E\d+)*\s*\][.\s]*)+/.exec(part) ?? []
    const last = sentences.length - 1
    if (lead !== '' && last >= 0) sentences[last] += lead
    const rest = lead !== '' && last >= 0 ? part.slice(lead.length) : part
    if (rest !== '') sentences.push(rest)
  }
  return sentences
}
