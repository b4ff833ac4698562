// The uses of names in files, remembered by the stamp of the content, so that a file that has not changed is neither
// searched nor scanned again. A file without a stamp is identified by its digest.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { LineHit } from '../../search/search.ts'
import { classifyUses } from '../../symbols/symbols.ts'
import type { UseKind } from '../../symbols/symbols.ts'
import { jsonSize } from '../paging.ts'
import type { JsonSize } from '../paging.ts'
import { readEntireFile } from './extract.ts'

export interface Reference extends LineHit {
  kind: UseKind
}

/** The lines of a file that use the name. */
export interface FoundUses {
  path: string
  /** Identifies the content (see `FoundText`); undefined if the file has to be read for that. */
  stamp: string | undefined
  hits: readonly LineHit[]
  /** The hits are all that the file has. */
  isWhole: boolean
}

interface FileUses {
  stamp: string
  uses: readonly Reference[]
}

/** Memory for the uses of all names in a root, and what a file and a use take besides their texts, in bytes. */
const maxBytes = 24 << 20
const bytesPerFile = 150
const bytesPerUse = 180

/** Sizes of known uses: writing 22,851 of them as JSON only for their size takes a third of an answer. */
const jsonSizes = new WeakMap<Reference, JsonSize>()

export function referenceSize(reference: Reference): JsonSize {
  const known = jsonSizes.get(reference)
  if (known !== undefined) return known
  const size = jsonSize(reference)
  jsonSizes.set(reference, size)
  return size
}

/** The uses of one name, at one revision or on the disk. */
export class KnownUses {
  readonly #name: string
  readonly #files = new Map<string, FileUses>()
  bytes = 0

  constructor(name: string) {
    this.#name = name
  }

  get(path: string, stamp: string): readonly Reference[] | undefined {
    const known = this.#files.get(path)
    return known?.stamp === stamp ? known.uses : undefined
  }

  set(path: string, stamp: string, uses: readonly Reference[]): void {
    this.bytes += bytesOf(uses) - bytesOf(this.#files.get(path)?.uses)
    this.#files.set(path, { stamp, uses })
  }

  /** Classifies lines that a search found. The file is read, and scanned unless its content is known. */
  classify(engine: Engine, { path, stamp, hits, isWhole }: FoundUses): Reference[] {
    const bytes = contentOf(engine, path)
    if (bytes === undefined) return hits.map((hit) => referenceOf(hit, 'other'))
    const content = stamp ?? createHash('sha1').update(bytes).digest('base64')
    const known = this.get(path, content)?.map(({ line, kind }) => [line, kind] as const)
    const kinds = known === undefined ? classifyUses(path, bytes, this.#name) : new Map(known)
    const uses = hits.map((hit) => referenceOf(hit, kinds.get(hit.line) ?? 'other'))
    if (isWhole) this.set(path, content, uses)
    return uses
  }
}

function bytesOf(uses: readonly Reference[] | undefined): number {
  if (uses === undefined) return 0
  return uses.reduce((sum, { text }) => sum + bytesPerUse + text.length, bytesPerFile)
}

function referenceOf(
  { path, line, text, text_truncated, cite }: LineHit,
  kind: UseKind,
): Reference {
  return { path, line, kind, text, text_truncated, cite }
}

function contentOf(engine: Engine, path: string): Buffer | undefined {
  try {
    return readEntireFile(engine, path).bytes
  } catch (error) {
    if (error instanceof ZeeError) return undefined
    throw error
  }
}

/** By root, then by name and revision: names asked last are at the end. */
const usesOfRoots = new WeakMap<CorpusRoot, Map<string, KnownUses>>()

/** The known uses of a name; forgets those of names that were not asked for a long time. */
export function knownUsesOf({ root, revision }: Engine, name: string): KnownUses {
  const names = usesOfRoots.get(root) ?? new Map<string, KnownUses>()
  usesOfRoots.set(root, names)
  const key = `${revision?.commit.name ?? ''} ${name}`
  const known = names.get(key) ?? new KnownUses(name)
  names.delete(key)
  names.set(key, known)
  let bytes = 0
  for (const uses of names.values()) bytes += uses.bytes
  for (const [oldest, uses] of names) {
    if (bytes <= maxBytes) break
    names.delete(oldest)
    bytes -= uses.bytes
  }
  return known
}
