// How artifacts are written: two-space indent, final newline, keys in the order of the contract.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'

/** The text of a JSON artifact; keys whose value is undefined are left out. */
export function artifactText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** An artifact is a file of its own folder: a link in its place is not written through. */
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
