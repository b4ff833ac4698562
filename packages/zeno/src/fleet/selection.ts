// The repositories that a request is about: those of the client's scope, of the argument `roots`, and of globs that
// name repositories.
import { isObject } from '@zee/core/json'
import { globsForRoot, textList, unknownRoot } from '../roots/roots.ts'
import type { Args } from '../roots/roots.ts'
import type { Selected } from './search-parts.ts'
import type { FleetState } from './shards.ts'

/** Names of repositories, or globs such as `team/*`; undefined for all. */
export type Scope = readonly string[] | undefined

export interface Selection {
  selected: Selected[]
  /** Repositories on silent shards. */
  missing: string[]
}

export function selectRepositories(state: FleetState, scope: Scope, args: Args): Selection {
  const isInScope = scopeTest(scope)
  const wanted = textList(args, 'roots')
  const silent = new Set(state.missing)
  for (const name of wanted ?? []) {
    const exists = state.byName.has(name) || silent.has(name)
    if (!exists || !isInScope(name)) throw unknownRoot(name)
  }
  const names = wanted === undefined ? undefined : new Set(wanted)
  const isWanted = (name: string): boolean => isInScope(name) && names?.has(name) !== false
  const isName = (name: string): boolean => state.byName.has(name)
  const selected = state.repositories.flatMap((repository): Selected[] => {
    if (!isWanted(repository.name)) return []
    const own = argsFor(isName, repository.name, args)
    return own === undefined ? [] : [{ repository, args: own }]
  })
  return { selected, missing: state.missing.filter(isWanted) }
}

/** Undefined if every glob names other repositories. */
function argsFor(isName: (name: string) => boolean, name: string, args: Args): Args | undefined {
  const { roots: _, ...own } = args
  const excludes = textList(args, 'exclude_globs')
  if (excludes !== undefined) own.exclude_globs = globsForRoot(isName, name, excludes)
  for (const key of ['paths', 'glob']) {
    const globs = textList(args, key)
    if (globs === undefined) continue
    const wanted = globsForRoot(isName, name, globs)
    if (wanted.length === 0) return undefined
    own[key] = key === 'glob' ? wanted[0] : wanted
  }
  return own
}

function scopeTest(scope: Scope): (name: string) => boolean {
  if (scope === undefined) return () => true
  const exact = new Set(scope)
  const globs = scope.filter((each) => each.includes('*')).map(globPattern)
  return (name) => exact.has(name) || globs.some((glob) => glob.test(name))
}

/** `*` matches any characters. */
function globPattern(glob: string): RegExp {
  const parts = glob
    .split('*')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

/** Paths may have the form of citations, `repository@commit:path`, if the commit is the stored one. */
export function withoutCommits(args: Args, state: FleetState): Args {
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const [, name = '', commit = '', rest = ''] =
      /^([^:@]+)@([0-9a-f]{7,64}):(.*)$/s.exec(value) ?? []
    return state.byName.get(name)?.commit.startsWith(commit) === true ? `${name}:${rest}` : value
  }
  const { path, paths, reads } = args
  return {
    ...args,
    ...(path === undefined ? {} : { path: plain(path) }),
    ...(paths === undefined
      ? {}
      : { paths: Array.isArray(paths) ? paths.map(plain) : plain(paths) }),
    ...(Array.isArray(reads)
      ? {
          reads: reads.map((read) => (isObject(read) ? { ...read, path: plain(read.path) } : read)),
        }
      : {}),
  }
}
