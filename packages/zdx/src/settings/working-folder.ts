// The folder that tools work in and relative paths begin at.
import type { Host } from '@zee/core/exit'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Globals } from '../commands.ts'

/** Canonical; one that is not there is reported by the tools themselves. */
export function workingFolder({ cwd }: Host, { root }: Pick<Globals, 'root'>): string {
  const asked = path.resolve(cwd, root)
  try {
    return realpathSync(asked)
  } catch {
    return asked
  }
}
