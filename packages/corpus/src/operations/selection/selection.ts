// The files that a request selects. SelectedTexts opens and counts them one by one, for operations that process
// complete texts; it skips and counts unreadable files.
import { closeSync, fstatSync } from 'node:fs'
import { textArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import type { Engine, RequestTime } from '../../engine.ts'
import { compileGlobs } from '../../glob/glob.ts'
import type { PathMatcher } from '../../glob/glob.ts'
import { selectionOf } from './parse.ts'
import type { Selection, Walk } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import { indexText } from '../../content/content.ts'
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

export class SelectedTexts {
  isLimited = false
  isExpired = false
  unreadable = 0
  scanned = 0
  readonly #selection: Selection
  readonly #glob: PathMatcher | undefined
  readonly #walk: Walk
  readonly #time: RequestTime
  #selected: number
  #fd = -1

  constructor(engine: Engine, args: Arguments, time: RequestTime, start?: SelectedTextsStart) {
    const glob = textArgument(args, 'glob')
    const matcher = glob === undefined ? undefined : compileGlobs([glob])
    this.#selection = selectionOf(args)
    this.#glob = matcher
    this.#time = time
    this.#selected = start?.files ?? 0
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
      const text = yield* this.#index()
      if (text !== undefined) return { path, text }
      this.unreadable++
    }
  }

  close(): void {
    this.#closeFile()
    this.#walk.close()
  }

  *#index(): Steps<TextFile | undefined> {
    if (this.#fd === -1) return undefined
    try {
      const stats = fstatSync(this.#fd)
      return stats.isFile() ? yield* indexText(this.#fd, stats.size) : undefined
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) return undefined
      throw error
    }
  }

  #closeFile(): void {
    if (this.#fd !== -1) closeSync(this.#fd)
    this.#fd = -1
  }
}
