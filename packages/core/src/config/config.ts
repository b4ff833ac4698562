// Loads a program's configuration: defaults, then files, then environment and flags, validated against
// one schema. Each problem names its file and line, and each value has a recorded origin.
import type * as z from 'zod/mini'
import { oneLine, usageError, ZeeError } from '../errors/errors.ts'
import {
  fileProblem,
  issueProblems,
  layerProblems,
  withoutMessages,
  unknownKeyWarnings,
  type ConfigProblem,
} from './check.ts'
import type { ConfigDefinition, ConfigValues } from './definition.ts'
import {
  layerOf,
  mergeLayers,
  originOf,
  singleKeyLayer,
  type Layer,
  type Merged,
  type Origin,
} from './layers.ts'
import { lineOf, pathKey, pathText } from './positions.ts'
import { hideSecrets, isTable, shapeAt, shapeOf, type KeyPath } from './shape.ts'
import { isFailure, readConfigFile } from './source.ts'

export {
  defineConfig,
  section,
  setting,
  type ConfigDefinition,
  type ConfigValues,
  type SettingMeta,
} from './definition.ts'
export type { ConfigProblem } from './check.ts'
export type { Origin } from './layers.ts'

export interface ConfigSource {
  path: string
  /** A missing file is an error; by default it is skipped. */
  required?: boolean
  /** Limits the keys of the file before they are merged, for example until the file is trusted. */
  restrict?: (file: ParsedSource) => Promise<RestrictedSource>
}

export interface ParsedSource {
  path: string
  bytes: Uint8Array
  data: Readonly<Record<string, unknown>>
  /** The data of the sources with lower precedence. */
  below: readonly Readonly<Record<string, unknown>>[]
}

export interface RestrictedSource {
  data: Record<string, unknown>
  /** Keys that have no effect; each becomes a warning `<file>:<line>: <key> is ignored: <reason>`. */
  ignored: readonly { key: KeyPath; reason: string }[]
}

/** One key set by the environment or a flag. An undefined value counts as unset. */
export interface ConfigOverride {
  /** `outRoot` or `api.key` */
  key: string
  value: unknown
  from: { environment: string } | { flag: string }
}

export interface LoadedConfig<Values> {
  values: Values
  warnings: readonly string[]
  /** The files that were read, lowest precedence first. */
  files: readonly string[]
  origin(key: string | KeyPath): Origin
  /** Every key with its effective value and origin; secrets are hidden. */
  settings(): { key: string; value: unknown; origin: Origin }[]
}

export interface InspectedConfig<Values> {
  /** Undefined if there are problems. */
  config?: LoadedConfig<Values>
  problems: readonly ConfigProblem[]
  warnings: readonly string[]
}

/** Returns the configuration; throws a ZeeError with the first problem and the number of others. */
export async function loadConfig<Schema extends z.ZodMiniObject>(
  definition: ConfigDefinition<Schema>,
  sources: readonly ConfigSource[],
  overrides: readonly ConfigOverride[] = [],
): Promise<LoadedConfig<ConfigValues<Schema>>> {
  const { config, problems } = await inspectConfig(definition, sources, overrides)
  const [first] = problems
  if (config !== undefined || first === undefined) return config as NonNullable<typeof config>
  const others = problems.length - 1
  const more = others === 0 ? '' : ` (and ${others} more problem${others === 1 ? '' : 's'})`
  const message = first.message + more
  if (first.code === 'usage') throw usageError(message)
  throw new ZeeError(first.code, message, { cause: first.cause })
}

/**
 * Same as `loadConfig`, but returns all problems instead of throwing, for a doctor command. `sources` and
 * `overrides` are in order of rising precedence. Every source is validated, even if later ones override it.
 */
export async function inspectConfig<Schema extends z.ZodMiniObject>(
  definition: ConfigDefinition<Schema>,
  sources: readonly ConfigSource[],
  overrides: readonly ConfigOverride[] = [],
): Promise<InspectedConfig<ConfigValues<Schema>>> {
  const { layers, problems, warnings } = await collectLayers(definition, sources, overrides)
  const files = layers.flatMap((layer) => (layer.file === undefined ? [] : [layer.file.path]))
  const merged = mergeLayers(shapeOf(definition.schema), layers)
  for (const layer of layers) problems.push(...(await layerProblems(definition, layer)))
  if (problems.length > 0) return { problems, warnings }
  const checked = definition.schema.safeParse(merged.data, withoutMessages)
  if (!checked.success) {
    const found = await issueProblems(definition, merged, checked.error.issues)
    return { problems: found, warnings }
  }
  return {
    config: loaded(definition, checked.data as ConfigValues<Schema>, merged, warnings, files),
    problems,
    warnings,
  }
}

/** `default`, `config.toml:7`, `environment NAME` or `flag --x`. */
export function originText(origin: Origin): string {
  if (origin.kind === 'default') return 'default'
  if (origin.kind === 'file') {
    return origin.line === undefined ? origin.path : `${origin.path}:${origin.line}`
  }
  return `${origin.kind} ${origin.name}`
}

async function collectLayers(
  definition: ConfigDefinition,
  sources: readonly ConfigSource[],
  overrides: readonly ConfigOverride[],
): Promise<{ layers: Layer[]; problems: ConfigProblem[]; warnings: string[] }> {
  const layers: Layer[] = []
  const problems: ConfigProblem[] = []
  const warnings: string[] = []
  for (const source of sources) {
    const file = await readConfigFile(source.path, definition.format)
    if (isFailure(file)) {
      if (file.kind !== 'missing' || source.required === true) {
        problems.push(fileProblem(definition, source.path, file))
      }
      continue
    }
    const { path } = source
    const below = layers.map(({ data }) => data)
    const limited = await source.restrict?.({ path, bytes: file.bytes, data: file.data, below })
    const layer: Layer = {
      origin: { kind: 'file', path },
      data: limited?.data ?? file.data,
      file,
    }
    for (const { key, reason } of limited?.ignored ?? []) {
      const line = lineOf(file.positions(), key)
      const place = line === undefined ? path : `${path}:${line}`
      warnings.push(oneLine(`${place}: ${pathText(key)} is ignored: ${reason}`))
    }
    layers.push(layer)
    for (const { path, line } of file.repeated) {
      const text = `${pathText(path)} is set twice; the last value is used`
      warnings.push(oneLine(`${source.path}:${line}: ${text}`))
    }
    warnings.push(...unknownKeyWarnings(definition, layer))
  }
  for (const { key, value, from } of overrides) {
    if (value === undefined) continue
    const origin: Origin =
      'flag' in from
        ? { kind: 'flag', name: from.flag }
        : { kind: 'environment', name: from.environment }
    layers.push(singleKeyLayer(key.split('.'), value, origin))
  }
  return { layers, problems, warnings }
}

function loaded<Values>(
  definition: ConfigDefinition,
  values: Values,
  merged: Merged,
  warnings: readonly string[],
  files: readonly string[],
): LoadedConfig<Values> {
  const shape = shapeOf(definition.schema)
  const origin = (key: string | KeyPath): Origin => {
    const path = typeof key === 'string' ? key.split('.') : key
    // A list comes from one source, so its items have the origin of the list.
    const index = path.findIndex((step) => typeof step === 'number')
    const isSet = merged.layerByPath.has(pathKey(index === -1 ? path : path.slice(0, index)))
    return isSet ? originOf(layerOf(merged, path), path) : { kind: 'default' }
  }
  const settings = (): { key: string; value: unknown; origin: Origin }[] =>
    leafPaths(definition, []).map((path) => {
      const value = path.reduce<unknown>(
        (table, key) => (isTable(table) ? table[key] : undefined),
        values,
      )
      const keyShape = shapeAt(shape, path)
      const displayed = keyShape === undefined ? value : hideSecrets(keyShape, value)
      return { key: pathText(path), value: displayed, origin: origin(path) }
    })
  return { values, warnings, files, origin, settings }
}

function leafPaths(definition: ConfigDefinition, path: readonly string[]): string[][] {
  const shape = shapeAt(shapeOf(definition.schema), path)
  if (shape?.kind !== 'table') return [[...path]]
  return [...shape.keys.keys()].flatMap((key) => leafPaths(definition, [...path, key]))
}
