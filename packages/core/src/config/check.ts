// Validates the sources of a configuration, one by one and merged. Each problem is one line that starts
// with its location: file and line, environment variable or flag.
import type * as z from 'zod/mini'
import { oneLine } from '../errors/errors.ts'
import type { ConfigDefinition } from './definition.ts'
import { layerOf, mergeLayers, type Layer, type Merged } from './layers.ts'
import { lineOf, pathText } from './positions.ts'
import { isTable, shapeAt, shapeOf, type KeyPath } from './shape.ts'
import type { FileFailure } from './source.ts'
import { unknownKeys } from './unknown-keys.ts'

export interface ConfigProblem {
  code: 'config_unreadable' | 'config_invalid' | 'usage'
  /** One line for people. */
  message: string
  path?: string
  line?: number
  key?: string
  cause?: unknown
}

/** Suppresses zod's messages, so that any message left comes from the schema. */
export const withoutMessages = { error: () => '' }

export function fileProblem(
  definition: ConfigDefinition,
  path: string,
  failure: FileFailure,
): ConfigProblem {
  const { kind, reason, line, column, cause } = failure
  const code = kind === 'invalid' ? 'config_invalid' : 'config_unreadable'
  const { headings } = definition
  if (headings === undefined) {
    const location = [path, line, column].filter((part) => part !== undefined).join(':')
    const message = kind === 'invalid' ? `${location}: ${reason}` : `cannot read ${path}: ${reason}`
    return { code, message: oneLine(message), path, line, cause }
  }
  const heading = kind === 'invalid' ? headings.invalid(path) : headings.unreadable(path)
  const location = line === undefined ? '' : `line ${line}, column ${column}: `
  return { code, message: oneLine(`${heading}: ${location}${reason}`), path, line, cause }
}

const maxUnknownKeys = 20

/** A warning for each unknown key, at most 20, if the definition requests warnings. */
export function unknownKeyWarnings(definition: ConfigDefinition, layer: Layer): string[] {
  if (definition.unknownKeys !== 'warn') return []
  const found = unknownKeys(shapeOf(definition.schema), layer)
  const warnings = found
    .slice(0, maxUnknownKeys)
    .map(({ line, text }) => oneLine(`${locationPrefix(layer, line)}${text}, ignored`))
  const others = found.length - maxUnknownKeys
  if (others > 0) warnings.push(oneLine(`${locationPrefix(layer)}${others} more unknown keys`))
  return warnings
}

/** Problems of a single source; those that depend on other sources are left for the merged check. */
export async function layerProblems(
  definition: ConfigDefinition,
  layer: Layer,
): Promise<ConfigProblem[]> {
  const single = mergeLayers(shapeOf(definition.schema), [layer])
  const checked = definition.schema.safeParse(single.data, withoutMessages)
  const issues = checked.success
    ? []
    : checked.error.issues.filter((issue) => !needsOtherLayers(single, issue))
  const problems = await issueProblems(definition, single, issues)
  for (const key of layer.file?.floats ?? []) {
    const path = JSON.parse(key) as KeyPath
    const shape = shapeAt(shapeOf(definition.schema), path)
    if (shape?.kind !== 'leaf' || !shape.isInteger) continue
    const text = `${pathText(path)} must be a whole number, without a decimal point`
    problems.push(valueProblem(definition, layer, path, text))
  }
  if (definition.unknownKeys === 'error') {
    for (const { path, text } of unknownKeys(shapeOf(definition.schema), layer)) {
      problems.push(valueProblem(definition, layer, path, text))
    }
  }
  return problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
}

/** Whether another source may supply the key, or the rule covers several keys. */
function needsOtherLayers(single: Merged, issue: z.core.$ZodIssue): boolean {
  let value: unknown = single.data
  for (const step of issue.path) {
    if (typeof step === 'number') return false
    value = isTable(value) ? value[String(step)] : undefined
  }
  return value === undefined || (issue.code === 'custom' && isTable(value))
}

export async function issueProblems(
  definition: ConfigDefinition,
  merged: Merged,
  issues: readonly z.core.$ZodIssue[],
): Promise<ConfigProblem[]> {
  if (issues.length === 0) return []
  const { describeIssues } = await import('./describe-issues.ts')
  return describeIssues(definition, merged.data, issues).map(({ path, text }) => {
    const layer = layerOf(merged, path)
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
    const message = oneLine(locationPrefix(layer, line) + text)
    return { code, message, path: layer.file?.path, line, key }
  }
  const location = line === undefined ? '' : `line ${line}: `
  const heading = definition.headings.invalid(layer.file.path)
  const message = oneLine(`${heading}: ${location}${text}`)
  return { code, message, path: layer.file.path, line, key }
}

function locationPrefix(layer: Layer, line?: number): string {
  const { origin } = layer
  if (origin.kind === 'flag') return `${origin.name}: `
  if (origin.kind === 'environment') return `environment variable ${origin.name}: `
  if (origin.kind === 'default') return ''
  return line === undefined ? `${origin.path}: ` : `${origin.path}:${line}: `
}
