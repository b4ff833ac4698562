// Renders the file that `init` creates: every key with its description, defaults as values, optional keys
// commented out with an example. It parses to the defaults.
import { stringify } from 'smol-toml'
import { oneLine } from '../errors/errors.ts'
import type { ConfigDefinition } from './definition.ts'
import { isTable, shapeOf, type Shape, type TableShape } from './shape.ts'

/** TOML with comments, or JSON with the defaults (JSON has no comments). */
export function configTemplate(definition: ConfigDefinition): string {
  const shape = shapeOf(definition.schema) as TableShape
  if (definition.format === 'json') return `${JSON.stringify(liveDefaults(shape), null, 2)}\n`
  const head = comment(`${definition.title}\nRemove the # in front of a key to set it.`)
  const blocks = [head.join('\n'), ...tableBlocks(shape, [], '')]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** The values that the template sets: defaults that are not commented out. */
function liveDefaults(shape: TableShape): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const [key, inner] of shape.keys) {
    if (!isLive(inner)) continue
    if (inner.kind !== 'table') entries.push([key, inner.default])
    else if (Object.keys(liveDefaults(inner)).length > 0) entries.push([key, liveDefaults(inner)])
  }
  return Object.fromEntries(entries)
}

function isLive(shape: Shape): boolean {
  return shape.hasDefault && shape.meta.commented !== true
}

/** The blocks of one table, its own keys first: TOML cannot return to a table after a header. */
function tableBlocks(shape: TableShape, path: readonly string[], mark: string): string[] {
  const ownKeys: string[] = []
  const below: string[] = []
  for (const [key, inner] of shape.keys) {
    const keyPath = [...path, key]
    const innerMark = mark === '' && isLive(inner) ? '' : '# '
    if (inner.kind === 'table') {
      below.push(
        block(inner, nest(keyPath, {}), innerMark),
        ...tableBlocks(inner, keyPath, innerMark),
      )
    } else if (isWrittenAsTables(inner)) below.push(tablesBlock(inner, keyPath, innerMark))
    else ownKeys.push(block(inner, { [key]: displayedValue(inner) }, innerMark))
  }
  return [...ownKeys, ...below]
}

/** Lists of tables and tables with user-chosen names: the default, or a commented example. */
function tablesBlock(shape: Shape, path: readonly string[], mark: string): string {
  const value = displayedValue(shape)
  // An empty default needs no line, and `key = []` would forbid a later [[key]].
  const isEmpty = Object.keys(value as object).length === 0
  if (!isEmpty) return block(shape, nest(path, value), mark)
  const emptyValue = shape.kind === 'list' ? [{}] : {}
  return block(shape, nest(path, shape.meta.example ?? emptyValue), '# ')
}

function block(shape: Shape, content: Record<string, unknown>, mark: string): string {
  const text = stringify(content, { numbersAsFloat: isFloat(shape) }).trimEnd()
  const lines = text.split('\n').map((line) => (mark + line).trimEnd())
  return [...comment(shape.meta.description), ...lines].join('\n')
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>
}

function isWrittenAsTables(shape: Shape): boolean {
  if (shape.kind === 'record') return true
  const value = shape.kind === 'list' && shape.item.kind === 'table' ? [{}] : displayedValue(shape)
  return isTable(value) || (Array.isArray(value) && value.some(isTable))
}

function displayedValue(shape: Shape): unknown {
  if (isLive(shape)) return shape.default
  return shape.meta.example ?? shape.default ?? sample(shape)
}

/** The first of some plain values that the schema accepts. */
function sample(shape: Shape): unknown {
  if (shape.kind === 'list') return []
  if (shape.kind !== 'leaf') return {}
  return ['', 'text', 0, 1, false].find((value) => accepts(shape, value)) ?? ''
}

function accepts(shape: Shape, value: unknown): boolean {
  const run = shape.schema['~standard'].validate(value)
  return !(run instanceof Promise) && run.issues === undefined
}

/** Whether to write the number with a decimal point, because the key accepts decimals. */
function isFloat(shape: Shape): boolean {
  return shape.kind === 'leaf' && !shape.isInteger && typeof displayedValue(shape) === 'number'
}

function comment(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/).map((line) => `# ${oneLine(line)}`.trimEnd())
}
