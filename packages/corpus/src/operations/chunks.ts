// chunks: a plan to read the corpus in pieces of at most `max_chars` characters, cut at line ends. A longer
// line is split. An id is derived from path and content, so it is stable while both are.
import { argumentError, numberArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { sha256, sha256Hex } from '../hash.ts'
import { flagIf, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { SelectedTexts } from './selection/selection.ts'
import type { SelectedText, SelectionArgs } from './selection/selection.ts'
import type { Steps } from '../steps.ts'
import { codePointLength, codePointOffset } from '../text/text.ts'
import type { TextFile } from '../content/content.ts'

/** `max_chars` limits one chunk. */
export interface ChunksArgs extends SelectionArgs, RequestArgs {
  glob?: string | undefined
  /** Maximum number of returned chunks. */
  max?: number | undefined
}

export interface Chunk {
  id: string
  path: string
  start_line: number
  end_line: number
  /** As for `read_file`; without the line end after the last line. */
  start_char: number
  end_char: number
  chars: number
  sha256: string
}

export interface ChunksResult {
  chunks: Chunk[]
  truncated: boolean
  scan_limited?: true
  partial?: true
  next_cursor?: string
  metrics: Metrics
}

export function* chunks(engine: Engine, args: Arguments): Steps<ChunksResult> {
  const time = requestTime(engine, args)
  const maxChars = numberArgument(args, 'max_chars', 100_000)
  if (maxChars === 0) throw argumentError('max_chars must be 1 or more')
  const max = numberArgument(args, 'max', 500)
  const paging = pagingOf(`chunks ${maxChars}`, args)
  const start = startFrom(paging.position)
  const texts = new SelectedTexts(engine, args, time, start)
  const found: Chunk[] = []
  let next: [path: string, files: number, chunk: number] | undefined
  let chars = 0
  try {
    while (next === undefined) {
      const selected = yield* texts.next()
      if (selected === undefined) break
      chars += selected.text.chars
      const skip = start?.from === selected.path ? start.chunk : 0
      next = yield* addChunks(found, selected, { maxChars, max, skip, files: texts.filesBefore })
    }
  } finally {
    texts.close()
  }
  return {
    chunks: found,
    truncated: next !== undefined,
    ...flagIf('scan_limited', texts.isLimited),
    ...flagIf('partial', texts.isExpired),
    ...(next === undefined ? {} : { next_cursor: paging.cursorAt(next) }),
    metrics: metricsOf(time, chars, texts.scanned),
  }
}

function startFrom(at: unknown): { from: string; files: number; chunk: number } | undefined {
  if (!Array.isArray(at)) return undefined
  const [from, files, chunk] = at as unknown[]
  if (typeof from !== 'string' || !Number.isSafeInteger(files) || !Number.isSafeInteger(chunk)) {
    return undefined
  }
  return { from, files: files as number, chunk: chunk as number }
}

interface Limits {
  maxChars: number
  max: number
  /** Chunks of this file that an earlier page returned. */
  skip: number
  files: number
}

/** Adds the chunks of a file. Returns where to continue if `max` is reached. */
function* addChunks(
  found: Chunk[],
  { path, text }: SelectedText,
  limits: Limits,
): Steps<[path: string, files: number, chunk: number] | undefined> {
  const same = new Map<string, number>()
  let number = 0
  for (const piece of piecesOf(text, limits.maxChars)) {
    const hash = sha256(piece.text)
    const repeat = same.get(hash) ?? 0
    same.set(hash, repeat + 1)
    if (number++ < limits.skip) continue
    if (found.length >= limits.max) return [path, limits.files, number - 1]
    const { startLine, endLine, startChar } = piece
    const chars = codePointLength(piece.text)
    found.push({
      id: chunkId(path, hash, repeat),
      path,
      start_line: startLine,
      end_line: endLine,
      start_char: startChar,
      end_char: startChar + chars,
      chars,
      sha256: hash,
    })
    yield
  }
  return undefined
}

/** `repeat` distinguishes equal pieces of one file. */
function chunkId(path: string, hash: string, repeat: number): string {
  const text = JSON.stringify([path, hash, repeat])
  return `c${sha256Hex(text).slice(0, 16)}`
}

interface Piece {
  text: string
  startLine: number
  endLine: number
  startChar: number
}

/** Lines per read. */
const windowLines = 512

function* piecesOf(file: TextFile, maxChars: number): Generator<Piece> {
  let piece: (Piece & { chars: number }) | undefined
  let at = 0
  for (const { text, line } of linesOf(file)) {
    const chars = codePointLength(text)
    // Plus one for the line feed between them.
    if (piece !== undefined && piece.chars + 1 + chars > maxChars) {
      yield piece
      piece = undefined
    }
    if (chars > maxChars) yield* splitLine(text, line, at, maxChars)
    else if (piece === undefined) {
      piece = { text, startLine: line, endLine: line, startChar: at, chars }
    } else {
      piece.text += `\n${text}`
      piece.endLine = line
      piece.chars += 1 + chars
    }
    at += chars + 1
  }
  if (piece !== undefined) yield piece
}

function* linesOf(file: TextFile): Generator<{ text: string; line: number }> {
  for (let first = 1; first <= file.lines; first += windowLines) {
    const last = Math.min(file.lines, first + windowLines - 1)
    const lines = file.readLines(first, last).split('\n')
    for (const [index, text] of lines.entries()) yield { text, line: first + index }
  }
}

function* splitLine(text: string, line: number, at: number, maxChars: number): Generator<Piece> {
  let rest = text
  for (let startChar = at; rest !== ''; startChar += maxChars) {
    const end = codePointOffset(rest, maxChars)
    yield { text: rest.slice(0, end), startLine: line, endLine: line, startChar }
    rest = rest.slice(end)
  }
}
