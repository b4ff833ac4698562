// The parameters of a search.
import type { PathMatcher } from '../glob/glob.ts'
import type { Selection } from '../walk/walk.ts'
import type { FoundLine } from '../finder/finder.ts'
import type { HitForm, LineHit } from './hit.ts'

export type SearchMode = 'hits' | 'count' | 'files'

export interface SearchRequest {
  pattern: string
  regex: boolean
  caseSensitive: boolean
  /** The only files to search; undefined for all. */
  paths: PathMatcher | undefined
  selection: Selection
  /** Equal for requests that select the same files. */
  selectionKey: string
  maxHits: number
  maxBytes: number
  mode: SearchMode
  form: HitForm
  /** Limit of a page in characters of its hits; undefined without paging. */
  maxChars: number | undefined
  /** Limit of a page in bytes of its hits as ASCII JSON; undefined for none. */
  maxBytesOfHits: number | undefined
  /** Characters of text in all hits of a page: the text of the last one is cut. */
  maxTextChars: number | undefined
  /** Hits are rendered as text, so `maxChars` counts the characters of that text. */
  isText: boolean
  /** Where the previous page ended. */
  resume: Resume | undefined
  /** In mode `hits`; every line that the pattern found is a hit without one. */
  choice?: HitChoice | undefined
}

/** Which lines are hits. */
export interface HitChoice {
  /** The lines of a text that are hits. */
  choose(text: FoundText): FoundLine[]
  /** The hits of a file whose content was searched before; undefined if it has to be searched. */
  known(path: string, stamp: string): readonly LineHit[] | undefined
  /** Called for a file in which the pattern found nothing. */
  foundNothing(path: string, stamp: string): void
}

/** A text, or a part of one, with the lines that the pattern found in it. */
export interface FoundText {
  path: string
  bytes: Buffer
  lines: FoundLine[]
  /** Equal for texts of the same path only if they have the same content; undefined if it is not known. */
  stamp?: string | undefined
}

export interface Resume {
  path: string
  /** The last line of the file that previous pages cover. */
  line: number
  /** Hits of previous pages. */
  hits: number
  /** Files before this one. */
  files: number
}
