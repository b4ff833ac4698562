// chunks: a plan to read the corpus in chunks of at most `max_chars` characters. Small files share a chunk; a large
// file is cut at line ends. A chunk is smaller if its list of parts would not fit into an answer. An id is derived
// from paths and contents, so it is stable while both are.
import { argumentError, numberArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../request-time.ts'
import type { Engine } from '../../engine.ts'
import { sha256, sha256Hex } from '../../hash.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { asciiBytesOf, pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { SelectedTexts } from '../selection/selection.ts'
import type { SelectedText } from '../selection/selection.ts'
import type { SelectionArgs } from '../selection/selection.ts'
import type { Excluded } from '../../walk/walk.ts'
import { ChunkPacker } from './packer.ts'
import type { Steps } from '../../steps.ts'
import { codePointLength, codePointOffset } from '../../text/text.ts'
import type { TextFile } from '../../content/content.ts'

/** `max_chars` limits one chunk. */
export interface ChunksArgs extends SelectionArgs, RequestArgs {
  glob?: string | undefined
  /** Maximum number of returned chunks. */
  max?: number | undefined
}

/** A file, or a piece of one. */
export interface ChunkPart {
  path: string
  start_line: number
  end_line: number
  /** As for `read_file`; without the line end after the last line. */
  start_char: number
  end_char: number
  chars: number
  sha256: string
}

/** The fields of a part are present if it is the only one. */
export interface Chunk extends Partial<ChunkPart> {
  id: string
  chars: number
  /** In path order. */
  parts: ChunkPart[]
}

export interface ChunksResult {
  chunks: Chunk[]
  truncated: boolean
  scan_limited?: true
  partial?: true
  /** Binary files, which are left out. */
  skipped_binary?: number
  /** Files that a rule denies. */
  skipped_denied?: number
  next_cursor?: string
  /** What the default rules hide; absent where the walk ended early. */
  excluded?: Excluded
  metrics: Metrics
}

export function* chunks(engine: Engine, args: Arguments): Steps<ChunksResult> {
  const time = requestTime(engine, args)
  const maxChars = numberArgument(args, 'max_chars', 100_000)
  if (maxChars === 0) throw argumentError('max_chars must be 1 or more')
  const max = numberArgument(args, 'max', 500)
  const paging = pagingOf(`chunks ${maxChars}`, args)
  const start = startFrom(paging.position)
  const texts = new SelectedTexts(engine, args, time, { start, skipsBinary: true })
  const packer = new ChunkPacker(maxChars, paging.maxAnswer)
  const page = new ChunkPage(max, paging.maxAnswer ?? Infinity)
  let chars = 0
  try {
    while (!page.isFull) {
      const selected = yield* texts.next()
      if (selected === undefined) break
      chars += selected.text.chars
      const skip = start?.from === selected.path ? start.piece : 0
      for (const part of partsOf(selected, maxChars, skip, texts.filesBefore)) {
        for (const packed of packer.add(part)) page.add(packed)
        yield
        if (page.isFull) break
      }
    }
    if (!page.isFull) for (const packed of packer.finish()) page.add(packed)
    return {
      chunks: page.chunks,
      truncated: page.next !== undefined,
      ...flagIf('scan_limited', texts.isLimited),
      ...flagIf('partial', texts.isExpired),
      ...(texts.binary > 0 ? { skipped_binary: texts.binary } : {}),
      ...(page.next === undefined ? {} : { next_cursor: paging.cursorAt(page.next) }),
      ...(page.next === undefined ? yield* texts.excludedFields() : {}),
      metrics: metricsOf(time, chars, texts.scanned),
    }
  } finally {
    texts.close()
  }
}

/** Where a page starts: at a piece of a file, after a number of selected files. */
type Position = [path: string, files: number, piece: number]

interface Start {
  from: string
  files: number
  piece: number
}

function startFrom(at: unknown): Start | undefined {
  if (!Array.isArray(at)) return undefined
  const [from, files, piece] = at as unknown[]
  if (typeof from !== 'string' || !Number.isSafeInteger(files) || !Number.isSafeInteger(piece)) {
    return undefined
  }
  return { from, files: files as number, piece: piece as number }
}

/** A file or a piece of one, and where a page that starts with it starts. */
export interface PlacedPart extends Omit<ChunkPart, 'sha256'> {
  text: string
  position: Position
}

/** The chunks of one page. */
class ChunkPage {
  readonly chunks: Chunk[] = []
  next: Position | undefined
  readonly #max: number
  #bytesLeft: number
  readonly #ids = new Set<string>()

  constructor(max: number, maxAnswer: number) {
    this.#max = max
    this.#bytesLeft = maxAnswer
  }

  get isFull(): boolean {
    return this.next !== undefined
  }

  add(parts: readonly PlacedPart[]): void {
    if (this.isFull) return
    const chunk = this.#chunkOf(parts)
    const bytes = asciiBytesOf(JSON.stringify(chunk)) + 1
    const fits = this.chunks.length < this.#max && bytes <= this.#bytesLeft
    if (!fits && !(this.chunks.length === 0 && this.#max > 0)) {
      this.next = (parts[0] as PlacedPart).position
      return
    }
    this.#bytesLeft -= bytes
    this.chunks.push(chunk)
  }

  #chunkOf(placed: readonly PlacedPart[]): Chunk {
    const parts = joinPieces(placed)
    const chars = parts.reduce((sum, part) => sum + part.chars, 0)
    const id = this.#newId(parts.map(({ path, sha256: hash }) => [path, hash]))
    return { id, ...(parts.length === 1 ? parts[0] : {}), chars, parts }
  }

  /** Equal pieces of one file get different ids. */
  #newId(content: string[][]): string {
    for (let repeat = 0; ; repeat++) {
      const id = `c${sha256Hex(JSON.stringify([content, repeat])).slice(0, 16)}`
      if (this.#ids.has(id)) continue
      this.#ids.add(id)
      return id
    }
  }
}

/** Consecutive pieces of one file form one part. */
function joinPieces(placed: readonly PlacedPart[]): ChunkPart[] {
  const joined: PlacedPart[] = []
  for (const piece of placed) {
    const last = joined.at(-1)
    if (last?.path !== piece.path) {
      joined.push({ ...piece })
      continue
    }
    // Pieces of a split line touch; others have a line end between them.
    last.text += (last.end_char === piece.start_char ? '' : '\n') + piece.text
    last.end_line = piece.end_line
    last.end_char = piece.end_char
    last.chars = piece.end_char - last.start_char
  }
  return joined.map(({ text, position: _position, ...part }) => ({ ...part, sha256: sha256(text) }))
}

/** A file that is larger than a chunk is cut into pieces of this share of one, which are packed like small files. */
const pieceShare = 1 / 8

function* partsOf(
  { path, text }: SelectedText,
  maxChars: number,
  skip: number,
  files: number,
): Generator<PlacedPart> {
  let number = 0
  const pieceChars = text.chars <= maxChars + 1 ? maxChars : Math.ceil(maxChars * pieceShare)
  for (const piece of piecesOf(text, pieceChars, maxChars)) {
    const position: Position = [path, files, number]
    if (number++ < skip) continue
    const chars = codePointLength(piece.text)
    yield {
      path,
      start_line: piece.startLine,
      end_line: piece.endLine,
      start_char: piece.startChar,
      end_char: piece.startChar + chars,
      chars,
      text: piece.text,
      position,
    }
  }
}

interface Piece {
  text: string
  startLine: number
  endLine: number
  startChar: number
}

/** Lines per read. */
const windowLines = 512

/** Pieces of up to `pieceChars`, cut at line ends. Only a line above `maxChars` is split. */
function* piecesOf(file: TextFile, pieceChars: number, maxChars: number): Generator<Piece> {
  let piece: (Piece & { chars: number }) | undefined
  let at = 0
  for (const { text, line } of linesOf(file)) {
    const chars = codePointLength(text)
    // Plus one for the line feed between them.
    if (piece !== undefined && piece.chars + 1 + chars > pieceChars) {
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
