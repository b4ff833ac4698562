// The files that a request selects. SelectedTexts opens and counts them one by one, for operations that process
// complete texts; it skips and counts unreadable files.
import { closeSync, fstatSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import { textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import type { Engine, RequestTime } from '../../engine.ts'
import { denyingRule } from '../../deny/deny.ts'
import { compileGlobs } from '../../glob/glob.ts'
import type { PathMatcher } from '../../glob/glob.ts'
import { selectionOf } from './parse.ts'
import { isDeniedLink } from '../../walk/walk.ts'
import type { ExcludedCount, Selection, Walk } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import { indexText, readFully, textOf } from '../../content/content.ts'
import type { TextFile } from '../../content/content.ts'

export { selectionOf } from './parse.ts'
export type { SelectionArgs } from './parse.ts'

export interface SelectedText {
  path: string
  text: TextFile
}

export interface SelectedTextsStart {
  /** Start at this path; `files` were selected before it. */
  from: string
  files: number
}

export interface SelectedTextsOptions {
  start?: SelectedTextsStart | undefined
  /** Skips files with a NUL byte near their start. */
  skipsBinary?: boolean
}

/** Bytes that are checked for a NUL byte, as git does. */
const checkedBytes = 8000

export class SelectedTexts {
  isLimited = false
  isExpired = false
  /** Without denied files. */
  unreadable = 0
  /** Binary files, if they are skipped. */
  binary = 0
  scanned = 0
  readonly #selection: Selection
  readonly #glob: PathMatcher | undefined
  readonly #walk: Walk
  readonly #time: RequestTime
  readonly #engine: Engine
  readonly #skipsBinary: boolean
  readonly #isWhole: boolean
  #selected: number
  #fd = -1

  constructor(
    engine: Engine,
    args: Arguments,
    time: RequestTime,
    { start, skipsBinary = false }: SelectedTextsOptions = {},
  ) {
    const glob = textArgument(args, 'glob')
    const matcher = glob === undefined ? undefined : compileGlobs([glob])
    this.#selection = selectionOf(args, glob === undefined ? [] : [glob], matcher)
    this.#glob = matcher
    this.#time = time
    this.#selected = start?.files ?? 0
    this.#engine = engine
    this.#skipsBinary = skipsBinary
    this.#isWhole = start === undefined
    this.#walk = engine.source.walk({
      ...this.#selection.walk,
      wanted: matcher === undefined ? undefined : (prefix) => matcher.canMatchPrefix(prefix),
      from: start?.from,
    })
  }

  /** Number of selected files before the one that `next` returned last. */
  get filesBefore(): number {
    return this.#selected - 1
  }

  /** Returns the next text, which can be read until the next call. */
  *next(): Steps<SelectedText | undefined> {
    for (;;) {
      yield
      this.#closeFile()
      if (!this.#walk.next()) return undefined
      const { path } = this.#walk
      if (this.#time.remainingMs() <= 0) {
        this.isExpired = true
        return undefined
      }
      if (this.#selection.excluded?.matches(path) === true) continue
      if (this.#glob?.matches(path) === false) continue
      if (this.#selected >= this.#selection.maxFiles) {
        this.isLimited = true
        return undefined
      }
      this.#selected++
      this.scanned++
      this.#fd = this.#walk.open()
      const binaryBefore = this.binary
      const text = yield* this.#index()
      if (text !== undefined) return { path, text }
      if (this.isExpired) return undefined
      const { root } = this.#engine
      const isDenied = denyingRule(root.deny, path) !== undefined || isDeniedLink(root, path)
      if (this.binary === binaryBefore && !isDenied) this.unreadable++
    }
  }

  /** What the default rules hide, after the last text; nothing if the walk ended early. */
  *excludedFields(): Steps<ReturnType<ExcludedCount['fields']>> {
    if (this.isLimited || this.isExpired) return {}
    if (this.#isWhole) return this.#walk.excluded.fields()
    const whole = this.#engine.source.walk({ ...this.#selection.walk, from: undefined })
    try {
      while (whole.next()) yield
      return whole.excluded.fields()
    } finally {
      whole.close()
    }
  }

  close(): void {
    this.#closeFile()
    this.#walk.close()
  }

  *#index(): Steps<TextFile | undefined> {
    if (this.#walk.read !== undefined) return this.#textOf(this.#walk.read())
    if (this.#fd === -1) return undefined
    try {
      const stats = fstatSync(this.#fd)
      if (!stats.isFile()) return undefined
      if (this.#skipsBinary && isBinary(this.#fd)) {
        this.binary++
        return undefined
      }
      return yield* indexText(this.#fd, stats.size, this.#time.startFile())
    } catch (error) {
      if (error instanceof ZeeError && error.code === 'timed_out') this.isExpired = true
      else if (!(error instanceof Error && 'syscall' in error)) throw error
      return undefined
    }
  }

  #textOf(bytes: Buffer | undefined): TextFile | undefined {
    if (bytes === undefined) return undefined
    const isSkipped = this.#skipsBinary && bytes.subarray(0, checkedBytes).includes(0)
    if (isSkipped) this.binary++
    return isSkipped ? undefined : textOf(bytes)
  }

  #closeFile(): void {
    if (this.#fd !== -1) closeSync(this.#fd)
    this.#fd = -1
  }
}

function isBinary(fd: number): boolean {
  const start = Buffer.allocUnsafe(checkedBytes)
  return start.subarray(0, readFully(fd, start, 0)).includes(0)
}
