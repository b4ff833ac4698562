// The structure of a config schema as plain data: tables, lists and leaves with their metadata. The only
// file that reads zod's internals; merge, unknown keys and template use this.
import type * as z from 'zod/mini'
import { settingMeta, type SettingMeta } from './definition.ts'

interface Common {
  meta: SettingMeta
  schema: z.core.$ZodType
  optional: boolean
  hasDefault: boolean
  default: unknown
}

export interface TableShape extends Common {
  kind: 'table'
  keys: ReadonlyMap<string, Shape>
  /** Other keys: `open` accepts them, `strict` refuses them, `plain` follows the definition's policy. */
  others: 'open' | 'strict' | 'plain'
}
/** A table whose keys the user chooses. */
export interface RecordShape extends Common {
  kind: 'record'
  item: Shape
}
export interface ListShape extends Common {
  kind: 'list'
  item: Shape
}
export interface LeafShape extends Common {
  kind: 'leaf'
  /** Then `1.0` in TOML is the wrong type. */
  isInteger: boolean
  /** The alternatives of a union. */
  options: readonly Shape[]
}
export type Shape = TableShape | RecordShape | ListShape | LeafShape

export type KeyPath = readonly (string | number)[]

const shapeCache = new WeakMap<z.core.$ZodType, Shape>()

export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = shapeCache.get(schema)
  if (shape === undefined) shapeCache.set(schema, (shape = buildShape(schema)))
  return shape
}

/** The shape of a key inside `shape`; undefined if the schema has none. */
export function shapeAt(shape: Shape, path: KeyPath): Shape | undefined {
  let current: Shape | undefined = shape
  for (const [index, step] of path.entries()) {
    if (current?.kind === 'leaf') {
      const rest = path.slice(index)
      return current.options
        .map((option) => shapeAt(option, rest))
        .find((found) => found !== undefined)
    }
    current = current?.kind === 'table' ? current.keys.get(String(step)) : current?.item
  }
  return current
}

/** Whether a value of this shape may contain a secret. */
export function holdsSecret(shape: Shape): boolean {
  if (shape.meta.secret === true) return true
  if (shape.kind === 'table') return [...shape.keys.values()].some(holdsSecret)
  return shape.kind === 'leaf' ? shape.options.some(holdsSecret) : holdsSecret(shape.item)
}

/** Whether the value at `path` is secret, by its own key or one above it. */
export function isSecretAt(shape: Shape, path: KeyPath): boolean {
  for (let length = 0; length < path.length; length++) {
    if (shapeAt(shape, path.slice(0, length))?.meta.secret === true) return true
  }
  const keyShape = shapeAt(shape, path)
  return keyShape !== undefined && holdsSecret(keyShape)
}

/** `value` with every secret in it replaced by `(hidden)`. */
export function hideSecrets(shape: Shape, value: unknown): unknown {
  if (shape.meta.secret === true || (shape.kind === 'leaf' && holdsSecret(shape))) {
    return value === undefined || value === '' ? value : '(hidden)'
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => hideSecrets(shape.item, item))
  }
  if ((shape.kind === 'table' || shape.kind === 'record') && isTable(value)) {
    const entries = Object.entries(value).map(([key, inner]) => {
      const keyShape = shapeAt(shape, [key])
      return [key, keyShape === undefined ? inner : hideSecrets(keyShape, inner)] as const
    })
    return Object.fromEntries(entries)
  }
  return value
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

function buildShape(schema: z.core.$ZodType): Shape {
  const common: Common = {
    meta: { description: '' },
    schema,
    optional: false,
    hasDefault: false,
    default: undefined,
  }
  const def = unwrap(schema, common)
  if (def.type === 'object') return tableShape(def, common)
  if (def.type === 'array') return { ...common, kind: 'list', item: shapeOf(def.element) }
  if (def.type === 'record') return { ...common, kind: 'record', item: shapeOf(def.valueType) }
  const options = def.type === 'union' ? def.options.map(shapeOf) : []
  return {
    ...common,
    kind: 'leaf',
    isInteger: def.type === 'number' && isWholeNumber(def),
    options,
  }
}

/** Walks from the outermost wrapper to the inner type; metadata of outer wrappers wins. */
function unwrap(schema: z.core.$ZodType, common: Common): z.core.$ZodTypes['_zod']['def'] {
  let current = schema
  for (;;) {
    const inner = settingMeta.get(current as z.ZodMiniType)
    const description = common.meta.description || (inner?.description ?? '')
    common.meta = { ...inner, ...common.meta, description }
    const def = (current as z.core.$ZodTypes)._zod.def
    if (def.type === 'optional') common.optional = true
    if ((def.type === 'default' || def.type === 'prefault') && !common.hasDefault) {
      common.hasDefault = true
      common.default = def.defaultValue
    }
    if (def.type === 'pipe') current = def.in
    else if ('innerType' in def) current = def.innerType
    else return def
  }
}

function tableShape(def: z.core.$ZodObjectDef, common: Common): TableShape {
  const keys = new Map(Object.entries(def.shape).map(([key, value]) => [key, shapeOf(value)]))
  const catchall = (def.catchall as z.core.$ZodTypes | undefined)?._zod.def.type
  const others = catchall === undefined ? 'plain' : catchall === 'never' ? 'strict' : 'open'
  return { ...common, kind: 'table', keys, others }
}

function isWholeNumber(def: z.core.$ZodNumberDef): boolean {
  const formats: unknown[] = [
    'format' in def ? def.format : '',
    ...(def.checks ?? []).map((check) => ('format' in check._zod.def ? check._zod.def.format : '')),
  ]
  return formats.some((format) => typeof format === 'string' && /int/.test(format))
}
