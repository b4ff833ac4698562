// The table of operations: name, method of the corpus, argument schema and the result list that the trace
// counts. Dispatch, the MCP tools and the tests are driven by this table.
import type { Operations } from '@zee/corpus'

export interface Operation {
  name: string
  /** The method of the corpus that answers; absent if zeno answers by itself. */
  method?: keyof Operations
  /** One short line: MCP clients send it to the model with every request. */
  description: string
  /** JSON Schema of the arguments. */
  properties: Readonly<Record<string, ArgumentSchema>>
  required?: readonly string[]
  /** The list in the result whose length the trace calls `count`. */
  counts?: string
  /** Not offered as an MCP tool. */
  internal?: true
}

export interface ArgumentSchema {
  type: 'string' | 'integer' | 'boolean' | 'array'
  description?: string
  items?: object
  enum?: readonly string[]
  minimum?: number
}

const text = (description?: string): ArgumentSchema => schema('string', description)
const flag = (description?: string): ArgumentSchema => schema('boolean', description)
const textList = (description?: string): ArgumentSchema => ({
  ...schema('array', description),
  items: { type: 'string' },
})
const number = (description?: string): ArgumentSchema => ({
  ...schema('integer', description),
  minimum: 0,
})

const walk = {
  max_files: number('stop the walk after this many files (20000)'),
  include_hidden: flag('include names that start with a dot'),
  exclude_dirs: textList('folder names to skip in addition to the defaults'),
  exclude_globs: textList('globs of paths to skip'),
  default_excludes: flag('false: include node_modules, dist, build and similar'),
  respect_gitignore: flag('skip files matched by .gitignore'),
  deadline_ms: number('return partial results after this time'),
}
const paging = {
  max_chars: number('cap of this answer; continue with next_cursor'),
  cursor: text('next_cursor of the previous answer'),
}
const slice = {
  path: text('relative to the root'),
  start_line: number('from 1'),
  end_line: number('inclusive (start_line)'),
  max_lines: number('cap (400)'),
  start_char: number('by characters instead, from 0'),
  end_char: number('exclusive'),
  start_byte: number('by bytes instead, from 0'),
  end_byte: number('exclusive'),
}
const hash = flag('add sha256 of each slice')

const all: readonly Operation[] = [
  {
    name: 'list_files',
    method: 'list',
    description: 'List files by glob or regex, sorted.',
    properties: {
      glob: text('matches the full path: * crosses folders, {a,b} and [a-z] work'),
      regex: text('searched in the path; glob wins'),
      max: number('maximum paths returned (500)'),
      ...walk,
      ...paging,
    },
    counts: 'files',
  },
  {
    name: 'read_file',
    method: 'read',
    description: 'Read lines of a file.',
    properties: { ...slice, hash, ...paging },
    required: ['path'],
  },
  {
    name: 'peek',
    method: 'peek',
    description: 'Read the first and last lines of a file.',
    properties: {
      path: text('relative to the root'),
      head_lines: number('(60)'),
      tail_lines: number('(60)'),
      hash,
      ...paging,
    },
    required: ['path'],
  },
  {
    name: 'grep',
    method: 'grep',
    description: 'Search file contents for literal text, or a regex with regex: true.',
    properties: {
      pattern: text('text or Python-style regex'),
      regex: flag(),
      case_sensitive: flag('(true)'),
      paths: textList('globs or paths to search in'),
      max_hits: number('cap (200)'),
      max_bytes: number('skip larger files (2000000)'),
      context: number('lines around each hit'),
      mode: { type: 'string', enum: ['hits', 'count', 'files'], description: 'what to return' },
      hash,
      ...walk,
      ...paging,
    },
    required: ['pattern'],
    counts: 'hits',
  },
  {
    name: 'extract_symbols',
    method: 'symbols',
    description: 'List the definitions in a source file.',
    properties: { path: text('relative to the root'), max_symbols: number('cap (400)'), ...paging },
    required: ['path'],
    counts: 'symbols',
  },
  {
    name: 'stat',
    method: 'stat',
    description: 'Size, time and kind of paths.',
    properties: { path: text(), paths: textList(), ...paging },
    counts: 'items',
  },
  {
    name: 'summary',
    method: 'summary',
    description: 'Files, bytes and lines of the corpus, by extension.',
    properties: { glob: text(), ...walk },
  },
  {
    name: 'chunks',
    method: 'chunks',
    description: 'Split the corpus into chunks at line ends, with stable ids, to read it in parts.',
    properties: {
      glob: text(),
      max_chars: number('of one chunk (100000)'),
      max: number('maximum chunks returned (500)'),
      ...walk,
      cursor: paging.cursor,
    },
    counts: 'chunks',
  },
  {
    name: 'read_many',
    method: 'readMany',
    description: 'Run several reads in one request; each has its own result or error.',
    properties: {
      reads: {
        type: 'array',
        items: { type: 'object', properties: { ...slice, hash }, required: ['path'] },
        description: 'arguments of read_file',
      },
      hash,
      ...paging,
    },
    required: ['reads'],
    counts: 'results',
  },
  {
    name: 'event',
    description: 'Write your own event (subcall_start, subcall_end, claim) to the trace.',
    properties: { event: text('event name; all other arguments become its fields') },
    required: ['event'],
  },
  {
    name: 'index_stats',
    description: 'Size and progress of the index.',
    properties: {},
    internal: true,
  },
]

/** A Map, so that `constructor` and `__proto__` are unknown operations. */
export const operations: ReadonlyMap<string, Operation> = new Map(all.map((op) => [op.name, op]))

function schema(type: ArgumentSchema['type'], description: string | undefined): ArgumentSchema {
  return description === undefined ? { type } : { type, description }
}
