// The structure of a config schema as plain data: tables, lists and leaves with their meta.
// The only file that looks inside zod; the walks (merge, unknown keys, template) read this.
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
  /** `open` takes further keys, `strict` lets the schema refuse them, `plain` leaves it to the policy. */
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
  /** A whole number, so that `1.0` in TOML is the wrong type. */
  whole: boolean
  /** The alternatives, when the value may be of several kinds. */
  options: readonly Shape[]
}
export type Shape = TableShape | RecordShape | ListShape | LeafShape

export type KeyPath = readonly (string | number)[]

const known = new WeakMap<z.core.$ZodType, Shape>()

export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = known.get(schema)
  if (shape === undefined) known.set(schema, (shape = buildShape(schema)))
  return shape
}

/** The shape of a key inside `shape`; undefined when the schema has no single answer. */
export function shapeAt(shape: Shape, path: KeyPath): Shape | undefined {
  let at: Shape | undefined = shape
  for (const [index, step] of path.entries()) {
    if (at?.kind === 'leaf') {
      const rest = path.slice(index)
      return at.options.map((option) => shapeAt(option, rest)).find((found) => found !== undefined)
    }
    at = at?.kind === 'table' ? at.keys.get(String(step)) : at?.item
  }
  return at
}

/** Whether showing a value of this shape could show a secret. */
export function holdsSecret(shape: Shape): boolean {
  if (shape.meta.secret === true) return true
  if (shape.kind === 'table') return [...shape.keys.values()].some(holdsSecret)
  return shape.kind === 'leaf' ? shape.options.some(holdsSecret) : holdsSecret(shape.item)
}

/** Whether the value at `path` may be shown, judged by the key and everything above it. */
export function isSecretAt(shape: Shape, path: KeyPath): boolean {
  for (let length = 0; length < path.length; length++) {
    if (shapeAt(shape, path.slice(0, length))?.meta.secret === true) return true
  }
  const own = shapeAt(shape, path)
  return own !== undefined && holdsSecret(own)
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
      const own = shapeAt(shape, [key])
      return [key, own === undefined ? inner : hideSecrets(own, inner)] as const
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
  return { ...common, kind: 'leaf', whole: def.type === 'number' && isWholeNumber(def), options }
}

/** Walks from the outermost wrapper to the type itself; what the outer layers say wins. */
function unwrap(schema: z.core.$ZodType, common: Common): z.core.$ZodTypes['_zod']['def'] {
  let at = schema
  for (;;) {
    const inner = settingMeta.get(at as z.ZodMiniType)
    const description = common.meta.description || (inner?.description ?? '')
    common.meta = { ...inner, ...common.meta, description }
    const def = (at as z.core.$ZodTypes)._zod.def
    if (def.type === 'optional') common.optional = true
    if ((def.type === 'default' || def.type === 'prefault') && !common.hasDefault) {
      common.hasDefault = true
      common.default = def.defaultValue
    }
    if (def.type === 'pipe') at = def.in
    else if ('innerType' in def) at = def.innerType
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
