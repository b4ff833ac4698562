// What a search is asked for.
import type { PathMatcher } from '../glob/glob.ts'
import type { Selection } from '../walk/walk.ts'
import type { HitForm } from './hit.ts'

export type SearchMode = 'hits' | 'count' | 'files'

export interface SearchRequest {
  pattern: string
  regex: boolean
  caseSensitive: boolean
  /** Only these files; undefined for all. */
  paths: PathMatcher | undefined
  selection: Selection
  /** Equal for requests that are about the same files. */
  selectionKey: string
  maxHits: number
  maxBytes: number
  mode: SearchMode
  form: HitForm
  /** Characters that the hits of a page may have; undefined when nobody asked. */
  maxChars: number | undefined
  /** Where the page before ended. */
  resume: Resume | undefined
}

export interface Resume {
  path: string
  /** Lines up to this one were delivered. */
  line: number
  hits: number
  /** Files taken before this one. */
  files: number
}
