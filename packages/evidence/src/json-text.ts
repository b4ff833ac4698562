// How artifacts are written: two-space indent, final newline, keys in the order of the contract.
import { canonicalJson } from '@zee/core/canonical-json'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { zclError } from './errors.ts'

/** The text of a JSON artifact; keys whose value is undefined are left out. */
export function artifactText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** The same value with its keys sorted at every depth. */
export function canonicalValue(value: unknown): unknown {
  return JSON.parse(canonicalJson(value))
}

/** How deep a JSON value from outside may nest: deep ones explode when they are indented. */
export const deepestResult = 128

/** Reads JSON from the command line; `flag` stands in the error. */
export function parseJsonArgument(text: string, flag: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw zclError('ZCL_E_INVALID_JSON', `${flag} is not JSON: ${reasonOf(error)}`)
  }
  if (isDeeper(value, deepestResult)) {
    throw zclError('ZCL_E_BOUNDS', `${flag} nests deeper than ${deepestResult} levels`)
  }
  try {
    canonicalJson(value)
  } catch (error) {
    throw zclError('ZCL_E_CONTRACT', `${flag}: ${reasonOf(error)}`)
  }
  return value
}

/** An artifact is a file of its own folder: a link in its place is not written through. */
export function refuseLink(folder: string, name: string): void {
  const file = path.join(folder, name)
  try {
    if (lstatSync(file).isSymbolicLink()) {
      throw zclError('ZCL_E_CONTAINMENT', `${file} is a link; evidence is not written through it`)
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** Whether a value nests deeper than so many levels; does not recurse. */
export function isDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true
    layer = layer.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    )
  }
  return false
}
