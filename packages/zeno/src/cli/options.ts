// Options that several commands share.
import type { OptionTable } from '@zee/core/command-line'
import { parseMemory } from '../index/index.ts'

export const root = {
  flags: '--root <path>',
  summary: 'the folder, or the one file, to read from',
  required: true,
  complete: 'folder',
} as const

export const log = {
  flags: '--log <file>',
  summary: 'append a trace of requests and answers',
  complete: 'file',
} as const

/** For what lives longer than one request. */
export const indexOptions = {
  noIndex: { flags: '--no-index', summary: 'answer every search from the disk' },
  memory: {
    flags: '--memory <size>',
    summary: 'what the index may take, such as 512M; otherwise a quarter of all, 2G at most',
    parse: parseMemory,
  },
  snapshot: {
    flags: '--snapshot',
    summary: 'begin with the index that an earlier server left in the cache folder, and leave one',
  },
} as const satisfies OptionTable

/** For clients of a server that others may have started. */
export const sharedServerOptions = {
  socket: {
    flags: '--socket <path>',
    summary: 'ask the server on this Unix socket; otherwise at the usual place of the root',
    complete: 'file',
  },
  private: { flags: '--private', summary: 'ask no shared server' },
} as const satisfies OptionTable

export const json = {
  flags: '--json',
  summary: 'one JSON object per line instead of words',
} as const
