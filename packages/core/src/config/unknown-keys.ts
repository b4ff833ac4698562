// Finds keys that are not in the schema, and suggests the closest key.
import { editDistance } from '../spelling/spelling.ts'
import type { Layer } from './layers.ts'
import { lineOf, pathText } from './positions.ts'
import { isTable, shapeAt, type KeyPath, type Shape } from './shape.ts'

export interface UnknownKey {
  path: KeyPath
  line?: number
  /** `unknown key "modle" (did you mean "model"?)` */
  text: string
}

export function unknownKeys(shape: Shape, layer: Layer): UnknownKey[] {
  const found: KeyPath[] = []
  collect(shape, layer.data, [], found)
  if (found.length === 0) return []
  const allPaths = knownPaths(shape, [])
  return found.map((path) => {
    const line = layer.file === undefined ? undefined : lineOf(layer.file.positions(), path)
    const meant = suggestion(path, allPaths)
    const hint = meant === undefined ? '' : ` (did you mean ${pathText(meant)}?)`
    return { path, line, text: `unknown key ${pathText(path)}${hint}` }
  })
}

function collect(shape: Shape, value: unknown, path: KeyPath, found: KeyPath[]): void {
  if (shape.kind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(shape.item, item, [...path, index], found)
  }
  if ((shape.kind !== 'table' && shape.kind !== 'record') || !isTable(value)) return
  for (const key of Object.keys(value)) {
    const inner = [...path, key]
    const keyShape = shape.kind === 'record' ? shape.item : shape.keys.get(key)
    if (key === '__proto__') found.push(inner)
    else if (keyShape !== undefined) collect(keyShape, value[key], inner, found)
    else if (shape.kind === 'table' && shape.others === 'plain') found.push(inner)
  }
}

function knownPaths(root: Shape, path: KeyPath): KeyPath[] {
  const shape = shapeAt(root, path)
  if (shape?.kind !== 'table') return []
  const children: KeyPath[] = [...shape.keys.keys()].map((key) => path.concat(key))
  return children.concat(children.flatMap((inner) => knownPaths(root, inner)))
}

/** A sibling with a similar name, otherwise the only key of that name in another section. */
function suggestion(path: KeyPath, allPaths: readonly KeyPath[]): KeyPath | undefined {
  const name = String(path.at(-1))
  if (name.length > 64) return undefined
  const parent = pathText(path.slice(0, -1))
  const similar = allPaths.filter(
    (other) =>
      other.length === path.length &&
      pathText(other.slice(0, -1)) === parent &&
      isSimilar(name, String(other.at(-1))),
  )
  if (similar.length > 0) return similar[0]
  const sameName = allPaths.filter((other) => other.at(-1) === name)
  return sameName.length === 1 ? sameName[0] : undefined
}

function isSimilar(one: string, other: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '')
  const allowed = Math.min(2, Math.floor(other.length / 3))
  return editDistance(plain(one), plain(other)) <= allowed
}
