// A language as data: its comments and strings, and the patterns of its definitions.
import { createBlanker } from '../blank.ts'
import type { Lexicon } from '../blank.ts'
import type { SymbolSink } from '../sink.ts'
import { createStartsAdder } from '../starts.ts'
import type { Starts } from '../starts.ts'
import { plainStarts } from './plain.ts'
import type { PlainKeyword } from './plain.ts'

/** Adds the symbols of a file; returns its text, one character per byte, for counting lines. */
export type Scanner = (sink: SymbolSink, bytes: Buffer) => string

export interface Language {
  lexicon: Lexicon
  /** Definitions that start with a keyword. */
  starts?: Starts | undefined
  /** Adds all other definitions. */
  addMore?: (sink: SymbolSink, text: string, bytes: Buffer) => void
  /** Plain keywords that this language handles itself or uses differently. */
  handled: readonly PlainKeyword[]
}

export function scanner({ lexicon, starts, addMore, handled }: Language): Scanner {
  const plain = plainStarts(handled)
  const addStarts = createStartsAdder(...[starts, plain].filter((one) => one !== undefined))
  const blank = createBlanker(lexicon)
  return (sink, bytes) => {
    blank(bytes)
    const text = bytes.toString('latin1')
    addStarts(sink, bytes, text)
    addMore?.(sink, text, bytes)
    return text
  }
}
