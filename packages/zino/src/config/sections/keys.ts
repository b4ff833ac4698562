// The kinds of keys that the sections of ZINO.toml are made of.
import { setting } from '@zee/core/config'
import * as z from 'zod/mini'

/** Defaults that depend on the installation; `zino init` fills in absolute paths. */
export interface ConfigDefaults {
  sockets: string
  template: string
  tools: string
  skills: string
  dataDir: string
  usageFile: string
  logs: string
  tokenFile: string
  provider: string
  baseUrl: string
  model: string
  script: string
}

export const text = z.string()
export const path = z.string().check(z.minLength(1))
export const nonNegativeInteger = z.int().check(z.nonnegative())
export const flag = z.boolean()

/** A key with a default and a one-line description. */
export function key<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  description: string,
) {
  return setting(z._default(schema, value), { description })
}

/** A text key that the template shows commented out while it is empty. */
export function optionalKey(value: string, description: string) {
  return setting(z._default(text, value), { description, commented: value === '' })
}

export function socketKey(defaults: ConfigDefaults, name: string) {
  return key(path, `${defaults.sockets}/${name}.sock`, `Socket path of ${name}; at most 107 bytes`)
}
