// The kinds of the uses of names in files. They are remembered, because a scan costs ten times as much as reading the
// file again: by the stamp of the content where the source has one, otherwise by its digest.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { classifyUses } from '../../symbols/symbols.ts'
import type { UseKind } from '../../symbols/symbols.ts'
import { readEntireFile } from './extract.ts'

/** By line number. */
export type UseKinds = ReadonlyMap<number, UseKind>

interface Use {
  path: string
  /** Identifies the content (see `FoundText`); undefined if the file has to be read for that. */
  stamp: string | undefined
  name: string
}

/** Lines of all files and names that are remembered, and those that a file costs besides its own. */
const maxLines = 400_000
const linesPerFile = 4

class KnownKinds {
  /** By name, then by path: names asked last are at the end. */
  readonly #names = new Map<string, Map<string, { stamp: string; kinds: UseKinds }>>()
  #lines = 0

  get({ path, stamp, name }: Use): UseKinds | undefined {
    if (stamp === undefined) return undefined
    const known = this.#names.get(name)?.get(path)
    return known?.stamp === stamp ? known.kinds : undefined
  }

  /** Reads and scans the file if its digest is not known; empty for a file that cannot be read. */
  read(engine: Engine, { path, stamp, name }: Use): UseKinds {
    const bytes = contentOf(engine, path)
    if (bytes === undefined) return new Map()
    const own = stamp ?? createHash('sha1').update(bytes).digest('base64')
    const known = this.get({ path, stamp: own, name })
    if (known !== undefined) return known
    const kinds = classifyUses(path, bytes, name)
    this.#set({ path, stamp: own, name }, kinds)
    return kinds
  }

  #set({ path, stamp, name }: Use & { stamp: string }, kinds: UseKinds): void {
    const files = this.#names.get(name) ?? new Map<string, { stamp: string; kinds: UseKinds }>()
    this.#names.delete(name)
    this.#names.set(name, files)
    this.#lines += linesOf(kinds) - linesOf(files.get(path)?.kinds)
    files.set(path, { stamp, kinds })
    for (const [oldest, others] of this.#names) {
      if (this.#lines <= maxLines || oldest === name) break
      this.#names.delete(oldest)
      for (const other of others.values()) this.#lines -= linesOf(other.kinds)
    }
    if (this.#lines <= maxLines) return
    this.#names.clear()
    this.#lines = 0
  }
}

function linesOf(kinds: UseKinds | undefined): number {
  return kinds === undefined ? 0 : kinds.size + linesPerFile
}

const kindsOfRoots = new WeakMap<CorpusRoot, KnownKinds>()

export function knownKindsOf(root: CorpusRoot): KnownKinds {
  const known = kindsOfRoots.get(root) ?? new KnownKinds()
  kindsOfRoots.set(root, known)
  return known
}

function contentOf(engine: Engine, path: string): Buffer | undefined {
  try {
    return readEntireFile(engine, path).bytes
  } catch (error) {
    if (error instanceof ZeeError) return undefined
    throw error
  }
}
