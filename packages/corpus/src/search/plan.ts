// The three parts of a search. The disk and the index implement each of them in their own way.
import type { LargeFile } from '../content/content.ts'
import type { Steps } from '../steps.ts'
import type { ExcludedCount } from '../walk/walk.ts'

export interface SearchPlan {
  candidates: Candidates
  searcher: Searcher
  /** What the default rules hide from a search of every file. */
  excluded(): Steps<ExcludedCount>
  /** Closes files and releases memory. */
  close(): void
}

/** The files that a search covers, under one Merkle root. */
export interface CertifiedFiles {
  files: number
  bytes: number
  /** SHA-256 in hexadecimal. */
  root: string
  excluded: ExcludedCount
  skippedLarge: number
  /** Selected files that could not be read, without denied ones. */
  unreadable: number
}

/** A file that may match, by its number among the selected files, from 0. The files in between cannot match. */
export type Candidate = number

/** The files that may match, in path order. */
export interface Candidates {
  /** The next candidates, possibly none, or why there are no more. Ends the batch before it. */
  nextBatch(): Steps<CandidateBatch | SearchEnd>
}

export interface CandidateBatch {
  /** The next candidate; undefined at the end of the batch. */
  next(): Candidate | undefined
}

export interface SearchEnd {
  /** Every file was searched, `max_files` is reached, the deadline passed, or the result is complete. */
  reason: 'all' | 'limited' | 'expired' | 'complete'
  scanned: Scanned
}

/** Totals of the selected files up to one of them, whether they were candidates or not. */
export interface Scanned {
  files: number
  chars: number
  /** Files larger than `max_bytes`. */
  skippedLarge: number
}

/** The texts of candidates. Every method takes the candidate that its batch returned last. */
export interface TextSource {
  path(file: Candidate): string
  /** The text, from memory where it is cached. It is valid until the batch returns the next candidate. */
  open(file: Candidate): OpenedText
  /** Whether the file has changed since the text that `open` returned was read. */
  isStale(file: Candidate): boolean
  /** The text as it is on the disk now. */
  reread(file: Candidate): OpenedText
  /** Identifies the content that `open` returned (see `FoundText`). */
  stamp?(file: Candidate): string | undefined
  /** Totals up to and including a file, without the characters of large files. */
  scanned(file: Candidate): Scanned
}

/** A text, or a file to be searched in parts and closed by the caller; undefined if it cannot be searched. */
export type OpenedText = Buffer | LargeFile | undefined

/** Searches texts and adds their hits to the result, in path order. */
export interface Searcher {
  /** Searches the candidates of a batch, or defers some of them to a larger one. Undefined to continue. */
  search(batch: CandidateBatch): Steps<SearchEnd | undefined>
  /** Searches the deferred candidates, after the last batch. */
  finish(): Steps<SearchEnd | undefined>
}
