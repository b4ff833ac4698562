// The data of a zdx transcript.
import type { PageHead } from './head.ts'
import type { PageText } from './run.ts'

export interface SessionPage extends PageHead {
  kind: 'session'
  sessionId: string
  startedAt?: string
  endedAt?: string
  totals: Usage & { prompts: number; answers: number; toolCalls: number; failedCalls: number }
  /** One per prompt; the first ones of a long session. */
  turns: TurnFacts[]
  /** The number of the page part with the other turns. */
  laterTurns?: number
  /** Input tokens of every answer: the growth of the context. */
  context: number[]
  redactions: string[]
  /** Calls whose texts one page part holds, in the order of `ToolFacts.number`. */
  callsPerPart: number
}

export interface TurnFacts {
  at?: string
  entries: EntryFacts[]
  usage?: Usage
}

export interface Usage {
  input: number
  cached: number
  output: number
  ms: number
  costUsd?: number
  models: string[]
}

export type EntryFacts =
  | { type: 'prompt'; text: string; at?: string }
  | { type: 'answer'; blocks: Block[]; at?: string }
  | { type: 'thinking'; text: string; at?: string }
  | ToolFacts
  | { type: 'interrupted'; at?: string }
  | { type: 'undo' | 'redo'; files: string[]; at?: string }

export interface ToolFacts {
  type: 'tool'
  name: string
  /** The call in one line. */
  title: string
  /** From 0, in the whole session. */
  number: number
  /** Absent without a result. */
  ok?: boolean
  /** The exit code of a command if it is not 0. */
  exit?: number
  diff?: DiffFacts
  at?: string
  /** Time until the result. */
  ms?: number
  /** Cost of the answer that made the call. */
  costUsd?: number
}

/** What a changed file gained and lost; its lines are in `ToolTexts`. */
export interface DiffFacts {
  path: string
  added: number
  removed: number
}

/** The texts of a call, in a page part. */
export interface ToolTexts {
  input: PageText
  result?: PageText
  lines?: DiffLine[]
  /** Lines of the diff that are not on the page. */
  linesLeftOut?: number
}

export interface DiffLine {
  mark: ' ' | '-' | '+' | '…'
  text: string
  colours?: ColourRun[]
}

/** The length of a piece of text, and its colour; the text after the last run has none. */
export type ColourRun = [length: number, colour: CodeColour | '']

export type CodeColour = 'keyword' | 'string' | 'comment' | 'number' | 'title' | 'type' | 'deletion'

/** Markdown as a tree of safe nodes: no text in it is parsed as HTML. */
export type Block =
  | { type: 'paragraph'; inline: Inline[] }
  | { type: 'heading'; depth: number; inline: Inline[] }
  | { type: 'code'; language: string; text: string; colours?: ColourRun[] }
  | { type: 'quote'; blocks: Block[] }
  | {
      type: 'list'
      ordered: boolean
      start: number
      items: { checked?: boolean; blocks: Block[] }[]
    }
  | { type: 'table'; align: (string | null)[]; head: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' }

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'emphasis' | 'deleted'; inline: Inline[] }
  | { type: 'link'; href: string; inline: Inline[] }
  | { type: 'break' }
