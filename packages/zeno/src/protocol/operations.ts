// The table of operations: name, method of the corpus, argument schema and the result list that the trace counts.
// Dispatch, the warnings about unknown arguments, the MCP tools and the tests are driven by this table.
import type { Operations } from '@zee/corpus'

export interface Operation {
  name: string
  /** The method of the corpus that answers; absent if zeno answers by itself. */
  method?: keyof Operations
  /** One short line: MCP clients send it to the model with every request. */
  description: string
  /** JSON Schema of the usual arguments. */
  properties: Readonly<Record<string, ArgumentSchema>>
  /** Rare arguments: MCP clients pass them in the object `options`, other clients like the usual ones. */
  options?: Readonly<Record<string, ArgumentSchema>>
  required?: readonly string[]
  /** The list in the result whose length the trace calls `count`. */
  counts?: string
  /** Not offered as an MCP tool. */
  internal?: true
  /** Any further argument is a field of the event. */
  isOpen?: true
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
const number = (description?: string): ArgumentSchema => schema('integer', description)

const walk = {
  max_files: number('files to walk (20000)'),
  include_hidden: flag('include names that start with a dot'),
  exclude_dirs: textList('folder names to skip'),
  exclude_globs: textList('globs of paths to skip'),
  default_excludes: flag('false: include node_modules, dist, build and similar'),
  respect_gitignore: flag('skip files matched by .gitignore'),
  deadline_ms: number('return partial results after this time'),
}
const roots = { roots: textList('names of roots') }
const paging = { max_chars: number('cap of this answer'), cursor: text('continue an answer') }
/** Limits that the server sets itself, and the roots, which every operation takes. */
const limits = { max_answer: number(), max_text_chars: number(), ...roots }
const ranges = {
  start_char: number('by characters instead, from 0'),
  end_char: number('exclusive'),
  start_byte: number('by bytes instead, from 0'),
  end_byte: number('exclusive'),
}
const rev = { rev: text('commit, tag, branch, HEAD~3') }
const path = text('relative to the root')
const hash = flag('add sha256 of each slice')
const lines = {
  path,
  start_line: number('from 1'),
  end_line: number('inclusive'),
  max_lines: number('cap (400)'),
}

const all: readonly Operation[] = [
  {
    name: 'list_files',
    method: 'list',
    description: 'List paths by glob, sorted. Prefer it to ls or find.',
    properties: {
      glob: text('on the full path; * crosses folders, {a,b} works'),
      max: number('paths returned (500)'),
      ...paging,
    },
    options: { regex: text('searched in the path; glob wins'), ...rev, ...walk, ...limits },
    counts: 'files',
  },
  {
    name: 'read_file',
    method: 'read',
    description: 'Read lines of a file; next says where to go on.',
    properties: { ...lines, ...paging },
    options: { ...ranges, hash, ...rev, deadline_ms: walk.deadline_ms, ...limits },
    required: ['path'],
  },
  {
    name: 'peek',
    method: 'peek',
    description: 'Read the first and last lines of a file.',
    properties: { path, head_lines: number('(60)'), tail_lines: number('(60)'), ...paging },
    options: { hash, ...rev, deadline_ms: walk.deadline_ms, ...limits },
    required: ['path'],
  },
  {
    name: 'grep',
    method: 'grep',
    description:
      'Search file contents, always fresh and complete. Prefer it to shell grep or rg: answers are indexed, capped and citable.',
    properties: {
      pattern: text('literal text, or a Python-style regex with regex: true'),
      regex: flag(),
      case_sensitive: flag('(true)'),
      paths: textList('globs, files or folders'),
      context: number('lines around each hit'),
      max_hits: number('cap (200)'),
      mode: { type: 'string', enum: ['hits', 'count', 'files'] },
      ...paging,
    },
    options: {
      max_bytes: number('skip larger files (2000000)'),
      max_line_chars: number('cut longer lines (1000)'),
      format: { type: 'string', enum: ['json', 'text'], description: 'form of the hits' },
      certify: flag('add a certificate over all searched files'),
      hash,
      ...rev,
      ...walk,
      ...limits,
    },
    required: ['pattern'],
    counts: 'hits',
  },
  {
    name: 'extract_symbols',
    method: 'symbols',
    description: 'List the definitions in a source file.',
    properties: { path, max_symbols: number('cap (400)'), ...paging },
    options: {
      detail: {
        type: 'string',
        enum: ['outline', 'all'],
        description: 'all: also fields, constants and variables',
      },
      ...rev,
      deadline_ms: walk.deadline_ms,
      ...limits,
    },
    required: ['path'],
    counts: 'symbols',
  },
  {
    name: 'stat',
    method: 'stat',
    description: 'Size, time and kind of paths.',
    properties: { path: text(), paths: textList() },
    options: { ...rev, ...paging, deadline_ms: walk.deadline_ms, ...limits },
    counts: 'items',
  },
  {
    name: 'summary',
    method: 'summary',
    description: 'Files, bytes and lines of the corpus, by extension.',
    properties: { glob: text() },
    options: { ...rev, ...walk, ...paging, ...limits },
  },
  {
    name: 'chunks',
    method: 'chunks',
    description: 'Plan to read everything: chunks of files with stable ids.',
    properties: {
      glob: text(),
      max_chars: number('of one chunk (100000)'),
      max: number('chunks returned (500)'),
      cursor: paging.cursor,
    },
    options: { ...rev, ...walk, ...limits },
    counts: 'chunks',
  },
  {
    name: 'read_many',
    method: 'readMany',
    description: 'Several reads in one request; each has its own result or error.',
    properties: {
      reads: {
        type: 'array',
        items: { type: 'object' },
        description: 'arguments of read_file',
      },
      ...paging,
    },
    options: {
      hash,
      ...rev,
      deadline_ms: walk.deadline_ms,
      ...limits,
      max_total_lines: number(),
    },
    required: ['reads'],
    counts: 'results',
  },
  {
    name: 'locate',
    method: 'locate',
    description: 'Rank files and lines for a text such as an issue. Start here.',
    properties: { text: text(), max: number('files (10)'), glob: text() },
    options: { ...rev, ...walk, ...paging, ...limits },
    required: ['text'],
    counts: 'results',
  },
  {
    name: 'symbols',
    method: 'treeSymbols',
    description: 'Find definitions in the whole tree by name or glob.',
    properties: {
      name: text(),
      match: { type: 'string', enum: ['exact', 'prefix', 'fuzzy'] },
      glob: text(),
      max_symbols: number('cap (400)'),
    },
    options: {
      detail: { type: 'string', enum: ['outline', 'all'] },
      ...rev,
      ...walk,
      ...paging,
      ...limits,
    },
    counts: 'symbols',
  },
  {
    name: 'references',
    method: 'references',
    description: 'Find uses of a name: definition, import, call or other.',
    properties: { name: text(), glob: text(), max: number('lines (200)') },
    options: { ...rev, ...walk, ...paging, ...limits },
    required: ['name'],
    counts: 'references',
  },
  {
    name: 'log',
    method: 'log',
    description: 'Commits that changed a path, or that added or removed a text.',
    properties: { path, pattern: text('literal text'), max: number('commits (200)'), ...rev },
    options: { ...paging, deadline_ms: walk.deadline_ms, ...limits },
    counts: 'commits',
  },
  {
    name: 'blame',
    method: 'blame',
    description: 'The commit that last changed each line of a file.',
    properties: {
      path,
      lines: { type: 'array', items: { type: 'integer' }, description: 'first and last' },
      ...rev,
    },
    options: { ...paging, deadline_ms: walk.deadline_ms, ...limits },
    required: ['path'],
    counts: 'lines',
  },
  {
    name: 'event',
    description: 'Write your own event (subcall_start, subcall_end, claim) to the trace.',
    properties: { event: text('event name; all other arguments become its fields') },
    required: ['event'],
    isOpen: true,
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

/** The schema of an argument, usual or rare; undefined for an unknown one. */
export function argumentSchema(operation: Operation, name: string): ArgumentSchema | undefined {
  for (const table of [operation.properties, operation.options ?? {}]) {
    if (Object.hasOwn(table, name)) return table[name]
  }
  return undefined
}

/** Names of arguments that the operation ignores; for `read_many` also those of its reads. */
export function unknownArguments(operation: Operation, args: Record<string, unknown>): string[] {
  if (operation.isOpen === true) return []
  const unknown = Object.keys(args).filter((name) => !argumentSchema(operation, name))
  const reading = all.find(({ name }) => name === 'read_file') as Operation
  const reads = operation.name === 'read_many' && Array.isArray(args.reads) ? args.reads : []
  for (const [index, read] of reads.entries()) {
    if (typeof read !== 'object' || read === null || Array.isArray(read)) continue
    const names = Object.keys(read).filter((name) => !argumentSchema(reading, name))
    unknown.push(...names.map((name) => `reads[${index}].${name}`))
  }
  return unknown
}

function schema(type: ArgumentSchema['type'], description: string | undefined): ArgumentSchema {
  return description === undefined ? { type } : { type, description }
}
