// Checks evidence of kind `grep` (a pattern and the line it matched) by searching the file again.
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../engine/engine.ts'
import { findMoved } from './find-moved.ts'
import {
  movedVerdict,
  parseDigest,
  revOf,
  sha256,
  unhashedVerdict,
  unreadableVerdict,
} from './verdict.ts'
import type { Verdict } from './verdict.ts'
import { isObject } from '@zee/core/json'

type Row = Record<string, unknown>

interface Hit {
  line: number
  text: string
}

const noLimit = 2_000_000_000

export async function checkGrep(
  row: Row,
  engine: Engine,
  openFile: (file: string) => Engine,
): Promise<Verdict> {
  const { pattern, hit } = row
  if (typeof pattern !== 'string' || pattern === '') {
    return { status: 'invalid', detail: 'has no pattern' }
  }
  const [, path, number] = /^(.*):L(\d+)$/s.exec(typeof hit === 'string' ? hit : '') ?? []
  if (path === undefined || path === '' || Number(number) < 1) {
    return { status: 'invalid', detail: 'has no hit such as path:L12' }
  }
  const digest = parseDigest(row.hash)
  const rev = revOf(row)
  if (rev === null) return { status: 'invalid', at: path, detail: 'has a rev that is not a string' }
  const at = `${rev === undefined ? '' : `${rev}:`}${path}:${number}`
  if (digest === null)
    return { status: 'invalid', at, detail: 'has a hash that is not sha256:<hex>' }
  try {
    // Checks that the file exists inside the root, and resolves links.
    const first = await engine.run('read_file', { path, rev, start_line: 1, max_lines: 1 })
    const name = String(first.path)
    const file = rev === undefined ? openFile(name) : fileAt(engine, name, rev)
    const hits = await findHits(file, row, pattern)
    const verdict = judgeHits(hits, Number(number), digest, at, path)
    // A revision never changes, so its text cannot have moved.
    if (verdict.status !== 'changed' || digest === undefined || rev !== undefined) return verdict
    const wanted = { path, start: Number(number), count: 1, digest }
    return movedVerdict(at, await findMoved(wanted, engine)) ?? verdict
  } catch (error) {
    const verdict = unreadableVerdict(error, at)
    if (verdict.status !== 'missing' || digest === undefined || rev !== undefined) return verdict
    const wanted = { path, start: Number(number), count: 1, digest }
    return movedVerdict(at, await findMoved(wanted, engine)) ?? verdict
  }
}

/** One file of a revision, as an engine that searches only this file. */
function fileAt(engine: Engine, path: string, rev: string): Engine {
  return {
    ...engine,
    run: (op, args, signal) =>
      engine.run(op, { ...args, rev, ...(op === 'grep' ? { paths: [path] } : {}) }, signal),
    close: () => Promise.resolve(),
  }
}

/** Without a `regex` field the pattern may match as literal text or as a regex. */
async function findHits(file: Engine, row: Row, pattern: string): Promise<Hit[]> {
  const args = {
    pattern,
    max_hits: noLimit,
    max_bytes: noLimit,
    include_hidden: true,
    default_excludes: false,
    ...(typeof row.case_sensitive === 'boolean' ? { case_sensitive: row.case_sensitive } : {}),
  }
  try {
    const literal = row.regex === true ? [] : await grep(file, args)
    if (row.regex === false) return literal
    const regex = grep(file, { ...args, regex: true })
    return [...literal, ...(row.regex === true ? await regex : await regex.catch(noHitsIfInvalid))]
  } finally {
    await file.close()
  }
}

/** A literal pattern need not be a valid regex. */
function noHitsIfInvalid(error: unknown): Hit[] {
  if (error instanceof ZeeError && error.code === 'regex') return []
  throw error
}

async function grep(file: Engine, args: Row): Promise<Hit[]> {
  const { hits } = await file.run('grep', args)
  const found: Hit[] = []
  for (const hit of Array.isArray(hits) ? hits.filter(isObject) : []) {
    const [path, line] = [String(hit.path), Number(hit.line)]
    // Long lines are truncated in hits, but the hash covers the full line.
    const full =
      hit.text_truncated === true ? await file.run('read_file', lineArgs(path, line)) : hit
    found.push({ line, text: String(full.text) })
  }
  return found
}

function lineArgs(path: string, line: number): Row {
  return { path, start_line: line, max_lines: 1 }
}

function judgeHits(
  hits: readonly Hit[],
  line: number,
  digest: string | undefined,
  at: string,
  path: string,
): Verdict {
  const same = hits.filter(({ text }) => digest === undefined || sha256(text) === digest)
  const nearest = same.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0]
  if (nearest?.line === line) {
    return digest === undefined ? unhashedVerdict(at, undefined) : { status: 'ok', at }
  }
  if (nearest === undefined) {
    const detail = hits.length === 0 ? 'the pattern is not found any more' : 'the line differs'
    return { status: 'changed', at, detail }
  }
  const detail = `moved: ${path}:${nearest.line}`
  return { status: 'moved', at, detail, lines: [nearest.line, nearest.line], path }
}
