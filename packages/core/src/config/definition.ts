// How a program declares its configuration: one zod schema, with what people need to know about
// each key (meaning, example, secrecy) attached to it. Everything else is derived from this.
import * as z from 'zod/mini'

export interface SettingMeta {
  /** One line for the template, the JSON Schema and the table in the docs. */
  description: string
  /** A valid value, shown in the template when the key has no default. */
  example?: unknown
  /** Stands in the template behind a `#` although it has a default. */
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
  /** What happens to keys that the schema does not know. */
  unknownKeys: 'warn' | 'ignore'
  /** A program's own opening words for a file that fails; `<path>:<line>: ` when absent. */
  headings?: { unreadable(path: string): string; invalid(path: string): string }
}

export type ConfigValues<Schema extends z.ZodMiniObject> = z.output<Schema>

export const settingMeta = z.registry<SettingMeta>()

export function defineConfig<Schema extends z.ZodMiniObject>(
  definition: ConfigDefinition<Schema>,
): ConfigDefinition<Schema> {
  return definition
}

/** One key. An error text in the schema is read after the key's name: `must be a folder`. */
export function setting<Schema extends z.ZodMiniType>(schema: Schema, meta: SettingMeta): Schema {
  // A clone, so that one schema can serve several keys with a meaning each.
  const own = z.clone(schema)
  settingMeta.add(own, meta)
  return own
}

/** A table whose keys keep their own defaults when the file does not mention it. */
export function section<Keys extends z.core.$ZodLooseShape>(
  keys: Keys,
  meta: SettingMeta,
): z.ZodMiniPrefault<z.ZodMiniObject<Keys>> {
  const table = z.object(keys)
  const own = z.prefault(table, {} as z.input<typeof table>)
  settingMeta.add(own, meta)
  return own as z.ZodMiniPrefault<z.ZodMiniObject<Keys>>
}
