// Finds the files that a retrieval touched: listed, matched or read. A trace records requests but not their
// results, so listings and searches are run again. Without the corpus only reads are shown.
import { ZeeError } from '@zee/core/errors'
import type { FileFacts } from '@zee/web/data'
import type { Engine } from '../engine/engine.ts'
import type { TracedRequest } from './trace-steps.ts'
import { isObject } from '@zee/core/json'

export interface TouchedFiles {
  files: FileFacts[]
  leftOut: number
}

const maxFiles = 20_000
const maxStepsPerFile = 24
/** Bounds the time to build a page. */
const maxReruns = 500
const deadlineMs = 5000
const pathsPerStat = 1000

const closeness = { untouched: 0, listed: 1, matched: 2, read: 3 } as const

class FileTable {
  readonly files = new Map<string, FileFacts>()
  leftOut = 0
  readonly #lines = new Map<string, Set<number>>()

  touch(path: string, state: FileFacts['state'], line?: number): void {
    const file = this.#fileAt(path)
    if (file === undefined) return
    if (closeness[state] > closeness[file.state]) file.state = state
    if (line === undefined || state === 'listed') return
    file.steps ??= []
    if (file.steps.length < maxStepsPerFile && file.steps.at(-1) !== line) file.steps.push(line)
  }

  /** Counts every line once, also if it was read several times. */
  readLines(path: string, from: number, to: number): void {
    const file = this.files.get(path)
    if (file === undefined || !(to >= from) || to - from > 1_000_000) return
    const lines = this.#lines.get(path) ?? new Set()
    this.#lines.set(path, lines)
    for (let line = from; line <= to; line++) lines.add(line)
    file.lines = lines.size
  }

  #fileAt(path: string): FileFacts | undefined {
    const existing = this.files.get(path)
    if (existing !== undefined) return existing
    if (this.files.size >= maxFiles) {
      this.leftOut++
      return undefined
    }
    const file: FileFacts = { path, bytes: 0, state: 'untouched' }
    this.files.set(path, file)
    return file
  }
}

export async function touchedFiles(
  requests: readonly TracedRequest[],
  engine: Engine | undefined,
): Promise<TouchedFiles> {
  const table = new FileTable()
  if (engine !== undefined) await listCorpus(table, engine)
  let reruns = 0
  for (const request of requests) {
    if (request.ok !== true) continue
    noteReads(table, request)
    const isSearch = request.op === 'list_files' || request.op === 'grep'
    if (engine === undefined || !isSearch || request.isRedacted) continue
    if (++reruns <= maxReruns) await noteSearchResults(table, request, engine)
  }
  if (engine !== undefined) await addSizes(table, engine)
  const files = [...table.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, leftOut: table.leftOut }
}

async function listCorpus(table: FileTable, engine: Engine): Promise<void> {
  const result = await tryRun(engine, 'list_files', { max: maxFiles })
  for (const path of stringsIn(result?.files)) table.touch(path, 'untouched')
}

const defaultLines = 400

function noteReads(table: FileTable, { op, args, line }: TracedRequest): void {
  const reads =
    op === 'read_many' && Array.isArray(args.reads) ? args.reads.filter(isObject) : [args]
  if (!['read_file', 'peek', 'extract_symbols', 'read_many'].includes(op)) return
  for (const read of reads) {
    if (typeof read.path !== 'string') continue
    const path = read.path.replace(/^(\.\/)+/, '')
    table.touch(path, 'read', line)
    if (op === 'peek' || op === 'extract_symbols') continue
    const from = positiveInteger(read.start_line) ?? 1
    const max = from + (positiveInteger(read.max_lines) ?? defaultLines) - 1
    const to = positiveInteger(read.end_line) ?? (read.start_line === undefined ? undefined : from)
    if (to !== undefined) table.readLines(path, from, Math.min(to, max))
  }
}

async function noteSearchResults(
  table: FileTable,
  { op, args, line }: TracedRequest,
  engine: Engine,
): Promise<void> {
  if (op === 'list_files') {
    const result = await tryRun(engine, op, { ...args, deadline_ms: deadlineMs })
    for (const path of stringsIn(result?.files)) table.touch(path, 'listed', line)
    return
  }
  const result = await tryRun(engine, op, { ...args, context: 0, deadline_ms: deadlineMs })
  const hits = Array.isArray(result?.hits) ? result.hits.filter(isObject) : []
  for (const { path } of hits) if (typeof path === 'string') table.touch(path, 'matched', line)
}

async function addSizes(table: FileTable, engine: Engine): Promise<void> {
  const paths = [...table.files.keys()]
  for (let from = 0; from < paths.length; from += pathsPerStat) {
    const result = await tryRun(engine, 'stat', { paths: paths.slice(from, from + pathsPerStat) })
    for (const item of Array.isArray(result?.items) ? result.items.filter(isObject) : []) {
      const file = table.files.get(String(item.path))
      if (file !== undefined && typeof item.size === 'number') file.bytes = item.size
    }
  }
}

/** Runs an operation; undefined if it fails now, although it succeeded when it was recorded. */
async function tryRun(engine: Engine, op: string, args: Record<string, unknown>) {
  try {
    return await engine.run(op, args)
  } catch (error) {
    if (error instanceof ZeeError) return undefined
    throw error
  }
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
