// Options that several commands share.
import type { OptionTable } from '@zee/core/command-line'
import { parseMemory } from '../index/index.ts'

export const root = {
  flags: '--root <path>',
  summary: 'the folder or single file to serve',
  required: true,
  single: true,
  complete: 'folder',
} as const

/** Options of commands that read files. */
export const denyOptions = {
  deny: {
    flags: '--deny <glob>',
    summary: 'never read files that match, only list them; may be repeated',
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
