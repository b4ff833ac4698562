// Puts the sources of a configuration on top of one another, guided by the shape of the schema,
// and remembers for every value which source it came from. Knows nothing about validity.
import { lineOf, pathKey } from './config-position.ts'
import { isTable, type KeyPath, type ListShape, type Shape } from './config-shape.ts'
import type { ConfigFile } from './config-source.ts'

export type Origin =
  | { kind: 'default' }
  | { kind: 'file'; path: string; line?: number }
  | { kind: 'environment'; name: string }
  | { kind: 'flag'; name: string }

export interface Layer {
  origin: Origin
  data: Record<string, unknown>
  file?: ConfigFile
}

/** Which layer gave a value, and where it stands in that layer. */
export interface Giver {
  layer: Layer
  path: KeyPath
}

export interface Merged {
  data: unknown
  givers: ReadonlyMap<string, Giver>
}

interface Candidate extends Giver {
  value: unknown
}

/** `layers` from the weakest to the strongest. */
export function mergeLayers(shape: Shape, layers: readonly Layer[]): Merged {
  const givers = new Map<string, Giver>()
  const candidates = layers.map((layer) => ({ layer, path: [], value: layer.data }))
  const data = candidates.length === 0 ? {} : merge(shape, candidates, [], givers)
  return { data, givers }
}

/** The giver of the value at `path`, or of the closest thing around it. */
export function giverOf(merged: Merged, path: KeyPath): Giver | undefined {
  for (let length = path.length; length >= 0; length--) {
    const giver = merged.givers.get(pathKey(path.slice(0, length)))
    if (giver !== undefined) {
      return { layer: giver.layer, path: [...giver.path, ...path.slice(length)] }
    }
  }
  return undefined
}

export function originOf(giver: Giver | undefined): Origin {
  if (giver === undefined) return { kind: 'default' }
  const { layer, path } = giver
  if (layer.origin.kind !== 'file' || layer.file === undefined) return layer.origin
  const line = lineOf(layer.file.positions(), path)
  return line === undefined ? layer.origin : { ...layer.origin, line }
}

/** A layer that sets one key. */
export function singleKeyLayer(path: KeyPath, value: unknown, origin: Origin): Layer {
  const data = path.reduceRight<unknown>((inner, key) => {
    const table: Record<string, unknown> = Object.create(null)
    table[key] = inner
    return table
  }, value)
  return { origin, data: data as Record<string, unknown> }
}

function merge(
  shape: Shape,
  candidates: readonly Candidate[],
  path: KeyPath,
  givers: Map<string, Giver>,
): unknown {
  const strongest = candidates.at(-1) as Candidate
  givers.set(pathKey(path), { layer: strongest.layer, path: strongest.path })
  if (shape.kind === 'list' && shape.meta.mergeBy !== undefined) {
    return mergeList(shape, shape.meta.mergeBy, candidates, path, givers)
  }
  if (shape.kind !== 'table' && shape.kind !== 'record') return strongest.value
  if (!isTable(strongest.value)) return strongest.value
  const tables = candidates.filter((candidate) => isTable(candidate.value))
  // Without a prototype, so that a key called `constructor` is only ever the user's.
  const result: Record<string, unknown> = Object.create(null)
  for (const key of keysOf(shape, tables)) {
    const inner = tables
      .filter(({ value }) => Object.hasOwn(value as object, key))
      .map(({ layer, path, value }) => ({
        layer,
        path: [...path, key],
        value: (value as Record<string, unknown>)[key],
      }))
    const innerShape = shape.kind === 'record' ? shape.item : shape.keys.get(key)
    result[key] =
      innerShape === undefined
        ? inner.at(-1)?.value
        : merge(innerShape, inner, [...path, key], givers)
  }
  return result
}

/** The keys that count: for a plain table those of the schema, else what the user wrote. */
function keysOf(shape: Shape, tables: readonly Candidate[]): Set<string> {
  const given = new Set(tables.flatMap(({ value }) => Object.keys(value as object)))
  given.delete('__proto__')
  if (shape.kind !== 'table' || shape.others !== 'plain') return given
  return new Set([...shape.keys.keys()].filter((key) => given.has(key)))
}

function mergeList(
  shape: ListShape,
  mergeBy: string,
  candidates: readonly Candidate[],
  path: KeyPath,
  givers: Map<string, Giver>,
): unknown {
  const strongest = candidates.at(-1) as Candidate
  if (!Array.isArray(strongest.value)) return strongest.value
  const items: Candidate[] = []
  const slots = new Map<unknown, number>()
  for (const candidate of candidates) {
    if (!Array.isArray(candidate.value)) continue
    // Within one source everything is kept; only a stronger source replaces.
    const weaker = new Map(slots)
    for (const [index, value] of candidate.value.entries()) {
      const item = { layer: candidate.layer, path: [...candidate.path, index], value }
      const name: unknown = isTable(value) ? value[mergeBy] : undefined
      const slot = name === undefined ? undefined : weaker.get(name)
      if (slot === undefined) slots.set(name, items.push(item) - 1)
      else items[slot] = item
    }
  }
  return items.map((item, index) => merge(shape.item, [item], [...path, index], givers))
}
