// Merges the sources of a configuration by the shape of the schema, and records the source of each
// value. Does not validate.
import { lineOf, pathKey } from './positions.ts'
import { isTable, type KeyPath, type Shape } from './shape.ts'
import type { ConfigFile } from './source.ts'

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

export interface Merged {
  data: unknown
  /** The layer that set each value, by `pathKey`. */
  layerByPath: ReadonlyMap<string, Layer>
}

interface Candidate {
  layer: Layer
  value: unknown
}

/** Merges `layers`, which are in order of rising precedence. */
export function mergeLayers(shape: Shape, layers: readonly Layer[]): Merged {
  const layerByPath = new Map<string, Layer>()
  const candidates = layers.map((layer) => ({ layer, value: layer.data }))
  const data = candidates.length === 0 ? {} : merge(shape, candidates, [], layerByPath)
  return { data, layerByPath }
}

/** The layer that set the value at `path`, or the closest value around it. */
export function layerOf(merged: Merged, path: KeyPath): Layer | undefined {
  for (let length = path.length; length >= 0; length--) {
    const layer = merged.layerByPath.get(pathKey(path.slice(0, length)))
    if (layer !== undefined) return layer
  }
  return undefined
}

export function originOf(layer: Layer | undefined, path: KeyPath): Origin {
  if (layer === undefined) return { kind: 'default' }
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
  layerByPath: Map<string, Layer>,
): unknown {
  const strongest = candidates.at(-1) as Candidate
  layerByPath.set(pathKey(path), strongest.layer)
  if (shape.kind !== 'table' && shape.kind !== 'record') return strongest.value
  if (!isTable(strongest.value)) return strongest.value
  const tables = candidates.filter((candidate) => isTable(candidate.value))
  // No prototype: a key called `constructor` can only come from the user.
  const result: Record<string, unknown> = Object.create(null)
  for (const key of keysOf(shape, tables)) {
    const inner = tables
      .filter(({ value }) => Object.hasOwn(value as object, key))
      .map(({ layer, value }) => ({ layer, value: (value as Record<string, unknown>)[key] }))
    const innerShape = shape.kind === 'record' ? shape.item : shape.keys.get(key)
    result[key] =
      innerShape === undefined
        ? inner.at(-1)?.value
        : merge(innerShape, inner, [...path, key], layerByPath)
  }
  return result
}

/** The keys to merge: for a plain table those of the schema, otherwise all written keys. */
function keysOf(shape: Shape, tables: readonly Candidate[]): Set<string> {
  const written = new Set(tables.flatMap(({ value }) => Object.keys(value as object)))
  written.delete('__proto__')
  if (shape.kind !== 'table' || shape.others !== 'plain') return written
  return new Set([...shape.keys.keys()].filter((key) => written.has(key)))
}
