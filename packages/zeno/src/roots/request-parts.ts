// Splits a request to several roots into parts: the requests to single roots, in the order of the answer.
import { ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { globsForRoot, rootOfPath, selectRoots, textList } from './root-names.ts'
import type { Args, NamedEngine } from './root-names.ts'

export interface Part {
  root: NamedEngine
  args: Args
}

/** A read of `read_many` whose path names no root. */
export interface FailedPart {
  problem: string
}

/** One part for each root that the request is about, in root order. */
export function partsForRoots(all: readonly NamedEngine[], args: Args): Part[] {
  const { roots: _, ...rest } = args
  const names = new Set(all.map(({ name }) => name))
  const isName = (name: string): boolean => names.has(name)
  return selectRoots(all, args).flatMap((root) => {
    const own: Args = { ...rest }
    const excludes = textList(args, 'exclude_globs')
    if (excludes !== undefined) own.exclude_globs = globsForRoot(isName, root.name, excludes)
    for (const name of ['paths', 'glob']) {
      const globs = textList(args, name)
      if (globs === undefined) continue
      const wanted = globsForRoot(isName, root.name, globs)
      // Every glob names other roots.
      if (wanted.length === 0) return []
      own[name] = name === 'glob' ? wanted[0] : wanted
    }
    return [{ root, args: own }]
  })
}

/** The part of a request with one required path. */
export function partForPath(all: readonly NamedEngine[], args: Args): Part {
  const { roots: _, ...rest } = args
  if (args.path === undefined || args.path === null || args.path === '') {
    throw new ZeeError('argument', 'missing path')
  }
  if (typeof args.path !== 'string') throw new ZeeError('argument', 'path must be a string')
  const { root, path } = rootOfPath(selectRoots(all, args), args.path)
  return { root, args: { ...rest, path } }
}

/** Parts of `stat`: neighbouring paths in one root share a part. */
export function partsForPaths(all: readonly NamedEngine[], args: Args): Part[] {
  const { roots: _, path: single, paths: __, ...rest } = args
  const paths = [...(textList({ single }, 'single') ?? []), ...(textList(args, 'paths') ?? [])]
  if (paths.length === 0) throw new ZeeError('argument', 'missing path')
  const selected = selectRoots(all, args)
  const parts: { root: NamedEngine; paths: string[] }[] = []
  for (const requested of paths) {
    const { root, path } = rootOfPath(selected, requested)
    const last = parts.at(-1)
    if (last?.root === root) last.paths.push(path)
    else parts.push({ root, paths: [path] })
  }
  return parts.map(({ root, paths: own }) => ({ root, args: { ...rest, paths: own } }))
}

/** Parts of `read_many`: neighbouring reads in one root share a part. */
export function partsForReads(all: readonly NamedEngine[], args: Args): (Part | FailedPart)[] {
  const { roots: _, reads, ...rest } = args
  if (reads === undefined || reads === null) throw new ZeeError('argument', 'missing reads')
  if (!Array.isArray(reads)) throw new ZeeError('argument', 'reads must be a list')
  const selected = selectRoots(all, args)
  const parts: ({ root: NamedEngine; reads: unknown[] } | FailedPart)[] = []
  for (const read of reads as unknown[]) {
    const found = readTarget(selected, read)
    const last = parts.at(-1)
    if ('problem' in found) parts.push(found)
    else if (last !== undefined && 'root' in last && last.root === found.root) {
      last.reads.push(found.read)
    } else parts.push({ root: found.root, reads: [found.read] })
  }
  return parts.map((part) =>
    'problem' in part ? part : { root: part.root, args: { ...rest, reads: part.reads } },
  )
}

function readTarget(
  selected: readonly NamedEngine[],
  read: unknown,
): { root: NamedEngine; read: unknown } | FailedPart {
  if (!isObject(read) || typeof read.path !== 'string' || read.path === '') {
    return { problem: isObject(read) ? 'missing path' : 'args must be an object' }
  }
  try {
    const { root, path } = rootOfPath(selected, read.path)
    return { root, read: { ...read, path } }
  } catch (error) {
    if (error instanceof ZeeError) return { problem: error.message }
    throw error
  }
}
