// Limits a configuration file of a project: keys that can run something or send something elsewhere
// take effect only after the user has trusted the file.
import type { ConfigSource } from '../config/config.ts'
import { isTrusted } from './records.ts'

export interface TrustRequirement {
  /** The program's own folder, which holds the records. */
  folder: string
  /** Whether a top-level key needs trust; sees its value. */
  isSensitive(key: string, value: unknown): boolean
  /** The command that records trust: `zdx trust`. */
  command: string
}

/** The `restrict` function of a config source; removes sensitive keys of an untrusted file. */
export function requireTrust(requirement: TrustRequirement): NonNullable<ConfigSource['restrict']> {
  const { folder, isSensitive, command } = requirement
  return async ({ path, bytes, data }) => {
    const keys = Object.keys(data).filter((key) => isSensitive(key, data[key]))
    if (keys.length === 0 || (await isTrusted(folder, path, bytes))) return { data, ignored: [] }
    const kept = Object.entries(data).filter(([key]) => !keys.includes(key))
    return {
      data: Object.fromEntries(kept),
      ignored: keys.map((key) => ({ key: [key], reason: `run '${command}' to use it` })),
    }
  }
}
