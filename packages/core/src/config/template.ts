// Writes the file that `init` creates: every key with its meaning, defaults in force, optional keys
// behind a `#` with an example. It parses back to the defaults.
import { stringify } from 'smol-toml'
import { oneLine } from '../errors/errors.ts'
import type { ConfigDefinition } from './definition.ts'
import { isTable, shapeOf, type Shape, type TableShape } from './shape.ts'

/** TOML with comments, or JSON with the defaults (JSON has no comments). */
export function configTemplate(definition: ConfigDefinition): string {
  const shape = shapeOf(definition.schema) as TableShape
  if (definition.format === 'json') return `${JSON.stringify(liveDefaults(shape), null, 2)}\n`
  const head = comment(
    `${definition.title}\nA # in front switches a key off: remove it to set the key.`,
  )
  const blocks = [head.join('\n'), ...tableBlocks(shape, [], '')]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** What the template sets: keys with a default that are not commented out. */
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
  return shape.hasDefault && shape.default !== undefined && shape.meta.commented !== true
}

/** Blocks of one table, its own keys first: TOML cannot return to a table once it is left. */
function tableBlocks(shape: TableShape, path: readonly string[], mark: string): string[] {
  const own: string[] = []
  const below: string[] = []
  for (const [key, inner] of shape.keys) {
    const at = [...path, key]
    const innerMark = mark === '' && isLive(inner) ? '' : '# '
    if (inner.kind === 'table') {
      below.push(block(inner, nest(at, {}), innerMark), ...tableBlocks(inner, at, innerMark))
    } else if (isWrittenAsTables(inner)) below.push(tablesBlock(inner, at, innerMark))
    else own.push(block(inner, { [key]: shownValue(inner) }, innerMark))
  }
  return [...own, ...below]
}

/** Lists of tables and tables with free names: their default, or an example behind a `#`. */
function tablesBlock(shape: Shape, path: readonly string[], mark: string): string {
  const value = shownValue(shape)
  // An empty default needs no line, and `key = []` would forbid a later [[key]].
  const isEmpty = Object.keys(value as object).length === 0
  if (!isEmpty) return block(shape, nest(path, value), mark)
  const emptiest = shape.kind === 'list' ? [{}] : {}
  return block(shape, nest(path, shape.meta.example ?? emptiest), '# ')
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
  const value = shape.kind === 'list' && shape.item.kind === 'table' ? [{}] : shownValue(shape)
  return isTable(value) || (Array.isArray(value) && value.some(isTable))
}

function shownValue(shape: Shape): unknown {
  if (isLive(shape)) return shape.default
  return shape.meta.example ?? shape.default ?? sample(shape)
}

/** The first plain value that the schema itself accepts. */
function sample(shape: Shape): unknown {
  if (shape.kind === 'list') return []
  if (shape.kind !== 'leaf') return {}
  return ['', 'text', 0, 1, false].find((value) => accepts(shape, value)) ?? ''
}

function accepts(shape: Shape, value: unknown): boolean {
  const run = shape.schema['~standard'].validate(value)
  return !(run instanceof Promise) && run.issues === undefined
}

/** A number that may have decimals is shown with one, so that people see it. */
function isFloat(shape: Shape): boolean {
  return shape.kind === 'leaf' && !shape.whole && typeof shownValue(shape) === 'number'
}

function comment(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/).map((line) => `# ${oneLine(line)}`.trimEnd())
}
