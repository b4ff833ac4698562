// The evidence of one question: every slice that a tool has shown, numbered in the order of its first appearance.
import { createHash } from 'node:crypto'

export type Evidence = LinesEvidence | AbsenceEvidence

/** Lines of a file. */
export interface LinesEvidence {
  id: string
  kind: 'read'
  path: string
  lines: [start: number, end: number]
  /** `sha256:` and the digest of the lines, joined by line feeds. */
  hash: string
}

/** A search without hits: the arguments to repeat it. */
export interface AbsenceEvidence {
  id: string
  kind: 'absence'
  args: Record<string, unknown>
}

export class EvidenceLedger {
  readonly #byId = new Map<string, Evidence>()
  readonly #ids = new Map<string, string>()

  get all(): Evidence[] {
    return [...this.#byId.values()]
  }

  find(id: string): Evidence | undefined {
    return this.#byId.get(id)
  }

  /** The number of a slice: the same slice has the same number. `text` is its lines, joined by line feeds. */
  addLines(path: string, start: number, text: string): LinesEvidence {
    const end = start + text.split('\n').length - 1
    const hash = sha256(text)
    return this.#add(`${path}:${start}-${end} ${hash}`, (id) => {
      return { id, kind: 'read', path, lines: [start, end], hash }
    }) as LinesEvidence
  }

  addAbsence(args: Record<string, unknown>): AbsenceEvidence {
    const key = `absence ${JSON.stringify(args)}`
    return this.#add(key, (id) => ({ id, kind: 'absence', args })) as AbsenceEvidence
  }

  #add(key: string, create: (id: string) => Evidence): Evidence {
    const known = this.#ids.get(key)
    if (known !== undefined) return this.#byId.get(known) as Evidence
    const evidence = create(`E${this.#byId.size + 1}`)
    this.#byId.set(evidence.id, evidence)
    this.#ids.set(key, evidence.id)
    return evidence
  }
}

/** `src/a.ts:10-40`, or `src/a.ts:10` for one line. */
export function locationOf(evidence: Evidence): string {
  if (evidence.kind === 'absence') return `no hits for ${JSON.stringify(evidence.args)}`
  const { path, lines } = evidence
  return lines[0] === lines[1] ? `${path}:${lines[0]}` : `${path}:${lines.join('-')}`
}

export function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
