// The text form of JSON artifacts, and the check before one is written.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'

/** The text of a JSON artifact: two-space indent, final newline, no undefined values. */
export function artifactText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** Throws if the artifact is a symlink, so that no write leaves its folder. */
export function refuseLink(folder: string, name: string): void {
  const file = path.join(folder, name)
  try {
    if (lstatSync(file).isSymbolicLink()) {
      throw evidenceError(
        'ZCL_E_CONTAINMENT',
        `${file} is a link; evidence is not written through it`,
      )
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
