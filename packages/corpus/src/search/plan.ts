// The three parts of a search. The disk and the index implement each of them in their own way.
import type { LargeFile } from '../content/content.ts'
import type { Steps } from '../steps.ts'

export interface SearchPlan {
  candidates: Candidates
  searcher: Searcher
  /** Closes files and releases memory. */
  close(): void
}

/** A file that may match, by its number among the selected files, from 0. The files in between cannot match. */
export type Candidate = number

/** Why there are no more candidates: every file was reached, `max_files` was, or the deadline passed. */
export type EndReason = 'all' | 'limited' | 'expired'

/** The files that may match, in path order. */
export interface Candidates {
  /** The next candidates, possibly none, or why there are no more. Ends the batch before it. */
  nextBatch(): Steps<CandidateBatch | EndReason>
  /** Totals of all files up to and including `last`, a file of the current batch; of all files at the end. */
  scanned(last?: Candidate): Scanned
}

export interface CandidateBatch {
  /** The next candidate; undefined at the end of the batch. */
  next(): Candidate | undefined
}

/** Totals of the selected files, whether they were candidates or not. */
export interface Scanned {
  files: number
  chars: number
  /** Files larger than `max_bytes`. */
  skippedLarge: number
}

/** The texts of candidates. Every method takes the candidate that its batch returned last. */
export interface TextSource {
  path(file: Candidate): string
  /** The text, from memory where it is cached. It is valid until the next candidate is taken. */
  open(file: Candidate): OpenedText
  /** Whether the file has changed since the text that `open` returned was read. */
  isStale(file: Candidate): boolean
  /** The text as it is on the disk now. */
  reread(file: Candidate): OpenedText
}

/** A text, or a file to be searched in parts and closed by the caller; undefined if it cannot be searched. */
export type OpenedText = Buffer | LargeFile | undefined

/** Searches texts and adds their hits to the result. */
export interface Searcher {
  /** Searches the candidates of a batch in order, up to its end or until the result is complete. */
  search(batch: CandidateBatch): Steps<SearchState>
}

export type SearchState = 'searched' | 'expired'
