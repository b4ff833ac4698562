// Checks the sources of a configuration, each by itself and all together, and puts every problem
// into one line that starts with its place: a line of a file, an environment variable or a flag.
import type * as z from 'zod/mini'
import { oneLine } from '../errors/errors.ts'
import type { ConfigDefinition } from './definition.ts'
import { giverOf, mergeLayers, type Layer, type Merged } from './layers.ts'
import { lineOf, pathText } from './positions.ts'
import { isTable, shapeAt, shapeOf, type KeyPath } from './shape.ts'
import type { FileFailure } from './source.ts'
import { unknownKeys } from './unknown-keys.ts'

export interface ConfigProblem {
  code: 'config_unreadable' | 'config_invalid' | 'usage'
  /** The whole line for people. */
  message: string
  path?: string
  line?: number
  key?: string
  cause?: unknown
}

/** No message from zod, so that any message left was written by the schema's author. */
export const silent = { error: () => '' }

export function fileProblem(
  definition: ConfigDefinition,
  path: string,
  failure: FileFailure,
): ConfigProblem {
  const { kind, reason, line, column, cause } = failure
  const code = kind === 'invalid' ? 'config_invalid' : 'config_unreadable'
  const { headings } = definition
  if (headings === undefined) {
    const place = [path, line, column].filter((part) => part !== undefined).join(':')
    const message = kind === 'invalid' ? `${place}: ${reason}` : `cannot read ${path}: ${reason}`
    return { code, message: oneLine(message), path, line, cause }
  }
  const heading = kind === 'invalid' ? headings.invalid(path) : headings.unreadable(path)
  const place = line === undefined ? '' : `line ${line}, column ${column}: `
  return { code, message: oneLine(`${heading}: ${place}${reason}`), path, line, cause }
}

const maxUnknownKeys = 20

/** A warning for each key that the schema does not know, as far as the definition wants any. */
export function unknownKeyWarnings(definition: ConfigDefinition, layer: Layer): string[] {
  if (definition.unknownKeys === 'ignore') return []
  const found = unknownKeys(shapeOf(definition.schema), layer)
  const warnings = found
    .slice(0, maxUnknownKeys)
    .map(({ line, text }) => oneLine(`${placeOf(layer, line)}${text}, ignored`))
  const others = found.length - maxUnknownKeys
  if (others > 0) warnings.push(oneLine(`${placeOf(layer)}${others} more unknown keys`))
  return warnings
}

/** What is wrong with one source by itself; what only the whole can tell is left for later. */
export async function layerProblems(
  definition: ConfigDefinition,
  layer: Layer,
): Promise<ConfigProblem[]> {
  const alone = mergeLayers(shapeOf(definition.schema), [layer])
  const checked = definition.schema.safeParse(alone.data, silent)
  const issues = checked.success
    ? []
    : checked.error.issues.filter((issue) => !needsTheWhole(alone, issue))
  const problems = await issueProblems(definition, alone, issues)
  for (const key of layer.file?.floats ?? []) {
    const path = JSON.parse(key) as KeyPath
    const shape = shapeAt(shapeOf(definition.schema), path)
    if (shape?.kind !== 'leaf' || !shape.whole) continue
    const text = `${pathText(path)} must be a whole number, without a decimal point`
    problems.push(valueProblem(definition, layer, path, text))
  }
  return problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
}

/** A key that another source may supply, or a rule over several keys. */
function needsTheWhole(alone: Merged, issue: z.core.$ZodIssue): boolean {
  let at: unknown = alone.data
  for (const step of issue.path) {
    if (typeof step === 'number') return false
    at = isTable(at) ? at[String(step)] : undefined
  }
  return at === undefined || (issue.code === 'custom' && isTable(at))
}

export async function issueProblems(
  definition: ConfigDefinition,
  merged: Merged,
  issues: readonly z.core.$ZodIssue[],
): Promise<ConfigProblem[]> {
  if (issues.length === 0) return []
  const { describeIssues } = await import('./describe-issues.ts')
  return describeIssues(definition, merged.data, issues).map(({ path, text }) => {
    const layer = giverOf(merged, path)
    if (layer === undefined) return { code: 'config_invalid', message: text, key: pathText(path) }
    return valueProblem(definition, layer, path, text)
  })
}

function valueProblem(
  definition: ConfigDefinition,
  layer: Layer,
  path: KeyPath,
  text: string,
): ConfigProblem {
  const line = layer.file === undefined ? undefined : lineOf(layer.file.positions(), path)
  const key = pathText(path)
  const code = layer.origin.kind === 'flag' ? 'usage' : 'config_invalid'
  if (layer.file === undefined || definition.headings === undefined) {
    const message = oneLine(placeOf(layer, line) + text)
    return { code, message, path: layer.file?.path, line, key }
  }
  const place = line === undefined ? '' : `line ${line}: `
  const heading = definition.headings.invalid(layer.file.path)
  const message = oneLine(`${heading}: ${place}${text}`)
  return { code, message, path: layer.file.path, line, key }
}

function placeOf(layer: Layer, line?: number): string {
  const { origin } = layer
  if (origin.kind === 'flag') return `${origin.name}: `
  if (origin.kind === 'environment') return `environment variable ${origin.name}: `
  if (origin.kind === 'default') return ''
  return line === undefined ? `${origin.path}: ` : `${origin.path}:${line}: `
}
