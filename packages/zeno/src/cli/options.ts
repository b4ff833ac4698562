// Options that several commands share.
import { wholeNumber } from '@zee/core/command-line'
import type { OptionTable, OptionValues } from '@zee/core/command-line'
import { usageError } from '@zee/core/errors'
import type { EngineSettings } from '../engine/engine.ts'
import { parseMemory } from '../index/index.ts'

export const root = {
  flags: '--root <path>',
  summary: 'the folder or single file to serve',
  required: true,
  single: true,
  complete: 'folder',
} as const

/** Options of commands that answer requests over one or several roots. */
export const rootOptions = {
  root: {
    flags: '--root <path>',
    summary: 'the folder or single file to serve; with several, their names begin the paths',
    repeatable: true,
    complete: 'folder',
  },
  roots: {
    flags: '--roots <file>',
    summary: 'a TOML file of roots: [roots.NAME] with path and allow',
    complete: 'file',
  },
} as const satisfies OptionTable

/** Options of commands that can answer from a fleet. */
export const fleetOptions = {
  fleet: {
    flags: '--fleet <url>',
    summary:
      'serve the repositories of a fleet in this PostgreSQL database; repeat it for each shard',
    repeatable: true,
  },
  fleetTimeout: {
    flags: '--fleet-timeout <seconds>',
    summary: 'a database of the fleet that takes longer counts as silent',
    default: '10',
    parse: wholeNumber(1),
  },
} as const satisfies OptionTable

/** One root has no name. Several roots, and those of a file, have names. */
export function rootSettings<
  Options extends OptionValues<typeof rootOptions> & { fleet?: readonly string[] },
>(options: Options): Omit<Options, 'root' | 'roots'> & Pick<EngineSettings, 'root' | 'roots'> {
  const { root: paths, roots: file, ...rest } = options
  const [first, ...others] = paths
  const hasRoot = first !== undefined || file !== undefined
  const hasFleet = options.fleet !== undefined && options.fleet.length > 0
  if (hasFleet && hasRoot) throw usageError('pass either --fleet or roots')
  if (!hasRoot && !hasFleet) {
    throw usageError(`required option '${root.flags}' not specified`)
  }
  if (paths.includes('')) throw usageError('--root must not be empty')
  if (file === '') throw usageError('--roots must not be empty')
  const isSingle = hasFleet || (others.length === 0 && file === undefined)
  return { ...rest, root: first ?? '.', roots: isSingle ? undefined : { paths, file } }
}

/** Options of commands that read files. */
export const denyOptions = {
  deny: {
    flags: '--deny <glob>',
    summary: 'never read files that match, only list them',
    repeatable: true,
  },
  allowSecrets: {
    flags: '--allow-secrets',
    summary:
      'read files of the default deny list: .env*, *.pem, id_rsa*, .netrc, credentials*, ...',
  },
} as const satisfies OptionTable

export const log = {
  flags: '--log <file>',
  summary: 'append a trace of requests and answers to this file',
  complete: 'file',
} as const

/** Options of commands that serve more than one request. */
export const indexOptions = {
  noIndex: { flags: '--no-index', summary: 'search the disk on every request' },
  memory: {
    flags: '--memory <size>',
    summary: 'memory limit of the index, such as 512M (default: a quarter of RAM, at most 2G)',
    parse: parseMemory,
  },
  snapshot: {
    flags: '--snapshot',
    summary: 'load the index from the cache folder at start and save it there',
  },
} as const satisfies OptionTable

/** Options of commands that can use a server started by another process. */
export const sharedServerOptions = {
  socket: {
    flags: '--socket <path>',
    summary: 'use the server on this Unix socket (default: the socket of the root)',
    complete: 'file',
  },
  private: { flags: '--private', summary: 'do not use a shared server' },
} as const satisfies OptionTable

export const json = {
  flags: '--json',
  summary: 'print one JSON object per line',
} as const
