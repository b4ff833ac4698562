// The tools of a reading model: search, read, list, symbols and map. Each result numbers the slices that it shows, so
// that the model can cite them.
import { ZeeError } from '@zee/core/errors'
import type { Spending } from '../budget/budget.ts'
import type { EvidenceLedger } from '../evidence/evidence.ts'
import { list } from './list.ts'
import { map } from './map.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import { symbols } from './symbols.ts'

export { readSlice } from './read.ts'

/** Operations of a corpus by their names in the protocol. */
export interface Corpus {
  /** Rejects with a ZeeError whose message is for the model. */
  run(
    op: string,
    args: Record<string, unknown>,
    callId?: string,
  ): Promise<Record<string, unknown> & { metrics: Record<string, unknown> }>
}

/** Writes an event of the question to its trace. */
export type Recorder = (event: string, fields: Record<string, unknown>) => void

export type ToolInput = Record<string, unknown>

export interface ToolContext {
  corpus: Corpus
  ledger: EvidenceLedger
  spending: Spending
  record: Recorder
  /** The sub-call that uses the tool; undefined for the root model. */
  callId: string | undefined
  /** Maximum characters of one result. */
  maxChars: number
  /** Asks a sub-model one question about one text. */
  askChunk: AskChunk
  /** Sub-calls at a time. */
  parallel: number
  chunkChars: number
  progress(line: string): void
}

export interface ChunkQuestion {
  question: string
  /** Identifies the text: paths and hashes. */
  parts: readonly { path: string; start_line: number; end_line: number; sha256: string }[]
  /** Reads the text, with line numbers. Not called if the answer is known. */
  readText(callId: string): Promise<string>
}

/** Undefined if the budget is spent. */
export type AskChunk = (
  chunk: ChunkQuestion,
) => Promise<{ answer: string; isKnown: boolean } | undefined>

export interface ReaderTool {
  name: string
  description: string
  schema: Record<string, unknown>
  run(input: ToolInput, context: ToolContext): Promise<string>
}

const tools: readonly ReaderTool[] = [search, read, list, symbols, map]

/** The tools at a level of the recursion; `map` needs a level below. */
export function toolsAt(canMap: boolean): readonly ReaderTool[] {
  return canMap ? tools : tools.filter(({ name }) => name !== 'map')
}

export interface ToolOutcome {
  text: string
  isError: boolean
}

/** Runs a tool. A failure is a result that the model can react to. */
export async function runTool(
  available: readonly ReaderTool[],
  name: string,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolOutcome> {
  const tool = available.find((each) => each.name === name)
  if (tool === undefined) return { text: `unknown tool: ${name}`, isError: true }
  if (context.spending.used.bytes >= context.spending.limits.bytes) {
    return { text: 'budget spent: bytes; answer with what you have', isError: true }
  }
  try {
    const text = await tool.run(input, context)
    context.spending.addText(text)
    return { text, isError: false }
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    return { text: error.message, isError: true }
  }
}
