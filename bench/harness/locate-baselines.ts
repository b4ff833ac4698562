// The rankings that `locate` is compared with, written without its code: BM25 over contents, BM25 with paths, and a
// search for the three rarest words.
import { git, gitBytes } from './commit-questions.ts'

interface Document {
  path: string
  content: Terms
  name: Terms
}

interface Terms {
  counts: ReadonlyMap<string, number>
  length: number
}

const maxBytes = 512 << 10
const pathWeight = 0.6

/** The files of revisions of one repository as documents; blobs are read once. */
export class RevisionDocuments {
  readonly #repository: string
  readonly #contents = new Map<string, Terms | undefined>()

  constructor(repository: string) {
    this.#repository = repository
  }

  at(revision: string): Document[] {
    const rows = git(this.#repository, ['ls-tree', '-r', '-z', revision])
      .split('\0')
      .flatMap((row) => /^100\d+ blob (\w+)\t(.*)$/s.exec(row)?.slice(1) ?? [])
    const files: [object: string, path: string][] = []
    for (let at = 0; at < rows.length; at += 2) files.push([rows[at] ?? '', rows[at + 1] ?? ''])
    this.#read(files.map(([object]) => object))
    return files.flatMap(([object, path]) => {
      const content = this.#contents.get(object)
      return content === undefined ? [] : [{ path, content, name: termsIn(path) }]
    })
  }

  #read(objects: readonly string[]): void {
    const unknown = [...new Set(objects)].filter((object) => !this.#contents.has(object))
    if (unknown.length === 0) return
    const output = gitBytes(this.#repository, ['cat-file', '--batch'], `${unknown.join('\n')}\n`)
    let at = 0
    for (const object of unknown) {
      const end = output.indexOf(0x0a, at)
      const size = Number(output.toString('latin1', at, end).split(' ')[2] ?? -1)
      // git writes no content for an object that is missing.
      const bytes = size >= 0 ? output.subarray(end + 1, end + 1 + size) : Buffer.alloc(0)
      at = size >= 0 ? end + size + 2 : end + 1
      const isText = size >= 0 && !bytes.subarray(0, 8000).includes(0)
      this.#contents.set(object, isText ? termsIn(bytes.toString('utf8', 0, maxBytes)) : undefined)
    }
  }
}

export type Ranker = (text: string, documents: readonly Document[], max: number) => string[]

export const rankers: Readonly<Record<string, Ranker>> = {
  'three rarest words': (text, documents, max) => {
    const found = [...termsIn(text).counts.keys()]
      .map((term) => documents.filter(({ content }) => content.counts.has(term)))
      .filter((files) => files.length > 0)
      .sort((one, other) => one.length - other.length)
      .slice(0, 3)
    const scores = documents.map((document) => found.filter((files) => files.includes(document)))
    return best(
      documents,
      scores.map(({ length }) => length),
      max,
    )
  },
  BM25: (text, documents, max) => best(documents, bm25(text, documents, 'content', 0.75), max),
  'BM25 + path': (text, documents, max) => {
    const content = bm25(text, documents, 'content', 0.75)
    const name = bm25(text, documents, 'name', 0.3)
    return best(
      documents,
      content.map((score, at) => score + pathWeight * (name[at] ?? 0)),
      max,
    )
  },
}

function best(documents: readonly Document[], scores: readonly number[], max: number): string[] {
  return documents
    .map(({ path }, at) => ({ path, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, max)
    .map(({ path }) => path)
}

/** Divided by the best score. */
function bm25(
  text: string,
  documents: readonly Document[],
  field: 'content' | 'name',
  lengthShare: number,
): number[] {
  const scores = documents.map(() => 0)
  const total = documents.reduce((sum, document) => sum + document[field].length, 0)
  const average = total / documents.length || 1
  for (const term of termsIn(text).counts.keys()) {
    const counts = documents.map((document) => document[field].counts.get(term) ?? 0)
    const found = counts.filter((count) => count > 0).length
    const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
    for (const [at, count] of counts.entries()) {
      if (count === 0) continue
      const length = (documents[at] as Document)[field].length / average
      const gain = (count * 2.2) / (count + 1.2 * (1 - lengthShare + lengthShare * length))
      scores[at] = (scores[at] as number) + rarity * gain
    }
  }
  const top = scores.reduce((one, other) => Math.max(one, other), 0) || 1
  return scores.map((score) => score / top)
}

const stopWords = new Set(
  'the and for with that this from are not but was has have when into its can all use'.split(' '),
)

/** Words and parts of identifiers in lower case, plurals without their s. */
function termsIn(text: string): Terms {
  const counts = new Map<string, number>()
  let length = 0
  const add = (word: string): void => {
    const lower = word.toLowerCase()
    if (lower.length < 2 || lower.length > 60 || stopWords.has(lower)) return
    const term = lower.length > 4 ? lower.replace(/(?:ing|ed|es|s)$/, '') : lower
    counts.set(term, (counts.get(term) ?? 0) + 1)
    length++
  }
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    add(word)
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? []
    if (parts.length > 1) for (const part of parts) add(part)
  }
  return { counts, length }
}
