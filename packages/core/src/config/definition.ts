// Declares a program's configuration: one zod schema with metadata for each key (meaning, example,
// secrecy). Validation, template, JSON Schema and docs are derived from it.
import * as z from 'zod/mini'

export interface SettingMeta {
  /** One line for the template, the JSON Schema and the table in the docs. */
  description: string
  /** A valid value, shown in the template if the key has no default. */
  example?: unknown
  /** Commented out in the template although it has a default. */
  commented?: boolean
  /** The value never appears in a message or a listing. */
  secret?: boolean
}

export interface ConfigDefinition<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  program: string
  /** First comment line of the template and title of the JSON Schema. */
  title: string
  format: 'toml' | 'json'
  schema: Schema
  /** The policy for keys that are not in the schema. */
  unknownKeys: 'warn' | 'ignore' | 'error'
  /** The start of messages about a file; `<path>:<line>: ` by default. */
  headings?: { unreadable(path: string): string; invalid(path: string): string }
}

export type ConfigValues<Schema extends z.ZodMiniObject> = z.output<Schema>

export const settingMeta = z.registry<SettingMeta>()

export function defineConfig<Schema extends z.ZodMiniObject>(
  definition: ConfigDefinition<Schema>,
): ConfigDefinition<Schema> {
  return definition
}

/** Declares one key. An error text in the schema continues the key's name: `must be a folder`. */
export function setting<Schema extends z.ZodMiniType>(schema: Schema, meta: SettingMeta): Schema {
  // A clone, so that several keys can share one schema with different metadata.
  const clone = z.clone(schema)
  settingMeta.add(clone, meta)
  return clone
}

/** Declares a table whose keys have their defaults if the file does not contain it. */
export function section<Keys extends z.core.$ZodLooseShape>(
  keys: Keys,
  meta: SettingMeta,
): z.ZodMiniPrefault<z.ZodMiniObject<Keys>> {
  const table = z.object(keys)
  const withDefault = z.prefault(table, {} as z.input<typeof table>)
  settingMeta.add(withDefault, meta)
  return withDefault as z.ZodMiniPrefault<z.ZodMiniObject<Keys>>
}
