// The kinds of the uses of a name in a file. They are remembered by the digest of the content, because a scan costs ten
// times as much as reading the file again.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { classifyUses } from '../../symbols/symbols.ts'
import type { UseKind } from '../../symbols/symbols.ts'
import { readEntireFile } from './extract.ts'

export type UseKinds = ReadonlyMap<number, UseKind>

const maxKnown = 20_000
/** Files with more uses are scanned again. */
const maxLines = 1000

const knownKinds = new WeakMap<CorpusRoot, Map<string, UseKinds>>()

/** By line number; empty for a file that cannot be read. */
export function useKinds(engine: Engine, path: string, name: string): UseKinds {
  const bytes = contentOf(engine, path)
  if (bytes === undefined) return new Map()
  const all = knownOf(engine.root)
  const key = `${createHash('sha1').update(bytes).digest('base64')} ${path} ${name}`
  const known = all.get(key)
  if (known !== undefined) return known
  const kinds = classifyUses(path, bytes, name)
  if (kinds.size > maxLines) return kinds
  if (all.size >= maxKnown) all.clear()
  all.set(key, kinds)
  return kinds
}

function knownOf(root: CorpusRoot): Map<string, UseKinds> {
  const known = knownKinds.get(root) ?? new Map<string, UseKinds>()
  knownKinds.set(root, known)
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
