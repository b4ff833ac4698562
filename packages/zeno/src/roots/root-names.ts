// Names of roots in requests: `name:path`, and the argument `roots`.
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../engine/engine.ts'

export interface NamedEngine {
  name: string
  engine: Engine
}

export type Args = Record<string, unknown>

/** The roots that a request is about: those in `roots`, or all. In the order of the server. */
export function selectRoots(all: readonly NamedEngine[], args: Args): readonly NamedEngine[] {
  const names = textList(args, 'roots')
  if (names === undefined) return all
  for (const name of names) if (!all.some((root) => root.name === name)) throw unknownRoot(name)
  const wanted = new Set(names)
  return all.filter(({ name }) => wanted.has(name))
}

export interface RootPath {
  root: NamedEngine
  path: string
}

/** Splits `name:path`. A path without a colon is valid if the request is about a single root. */
export function rootOfPath(selected: readonly NamedEngine[], requested: string): RootPath {
  const colon = requested.indexOf(':')
  const name = requested.slice(0, Math.max(0, colon))
  const named = selected.find((root) => root.name === name)
  if (named !== undefined) return { root: named, path: requested.slice(colon + 1) || '.' }
  if (colon > 0) throw unknownRoot(name)
  const [first, ...others] = selected
  if (first !== undefined && others.length === 0) return { root: first, path: requested }
  const example = first === undefined ? 'name:path' : `${first.name}:${requested}`
  throw new ZeeError('argument', `missing root: write name:path, such as ${example}`)
}

/** The globs for one root: those that name it, without its name, and those that name no root. */
export function globsForRoot(
  isName: (name: string) => boolean,
  root: string,
  globs: readonly string[],
): string[] {
  return globs.flatMap((glob) => {
    const colon = glob.indexOf(':')
    const name = glob.slice(0, Math.max(0, colon))
    if (colon < 1 || !isName(name)) return [glob]
    return name === root ? [glob.slice(colon + 1) || '**'] : []
  })
}

/** A list of texts; one text counts as a list. Undefined if absent. */
export function textList(args: Args, name: string): string[] | undefined {
  const value = args[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new ZeeError('argument', `${name} must be a list of strings`)
}

export function unknownRoot(name: string): ZeeError {
  return new ZeeError('argument', `unknown root: ${name.slice(0, 200)}`)
}
