// map: one question about every chunk of the selected files, answered by a sub-model, several chunks at a time.
import { ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { locationOf } from '../evidence/evidence.ts'
import { objectSchema, optionalNumber, optionalText, requiredText } from './input.ts'
import { numbered, readSlice } from './read.ts'
import type { ChunkQuestion, ReaderTool, ToolContext } from './tools.ts'

interface Part {
  path: string
  start_line: number
  end_line: number
  sha256: string
}

interface Chunk {
  parts: Part[]
}

interface Mapped {
  chunk: Chunk
  answer: string | undefined
  isKnown: boolean
  failure?: string
}

const maxChunks = 5000
/** Errors that end the question, not one sub-call. */
const stopCodes: ReadonlySet<string> = new Set(['aborted', 'interrupted'])
const minChunkChars = 1000
const maxChunkChars = 400_000

export const map: ReaderTool = {
  name: 'map',
  description:
    'Ask one question about every chunk of the files that match a glob. A sub-model answers for each chunk from its text ' +
    'alone; you get all answers that are not NONE, with numbers to cite. Use it for questions about everything.',
  schema: objectSchema(
    {
      question: { type: 'string', description: 'complete in itself; say what to return' },
      glob: { type: 'string', description: 'files to read; all without it' },
      chunk_chars: { type: 'integer', description: 'size of a chunk' },
    },
    ['question'],
  ),
  async run(input, context) {
    const question = requiredText(input, 'question')
    const chunks = await planChunks(input, context)
    if (chunks.length === 0) return 'no files match'
    const mapped = await askAll(chunks, question, context)
    return formatAnswers(mapped, context)
  },
}

async function planChunks(
  input: Record<string, unknown>,
  { corpus, callId, chunkChars }: ToolContext,
): Promise<Chunk[]> {
  const glob = optionalText(input, 'glob')
  const asked = optionalNumber(input, 'chunk_chars') ?? chunkChars
  const size = Math.min(maxChunkChars, Math.max(minChunkChars, Math.min(asked, chunkChars)))
  const args = { ...(glob === undefined ? {} : { glob }), max_chars: size }
  const chunks: Chunk[] = []
  let cursor: unknown
  do {
    const page = await corpus.run(
      'chunks',
      cursor === undefined ? args : { ...args, cursor },
      callId,
    )
    chunks.push(...(page.chunks as Chunk[]))
    cursor = page.next_cursor
    if (chunks.length > maxChunks) {
      throw new ZeeError('argument', `more than ${maxChunks} chunks: narrow the glob`)
    }
  } while (cursor !== undefined)
  return chunks
}

/** Answers in the order of the chunks, however the sub-calls end. */
async function askAll(
  chunks: readonly Chunk[],
  question: string,
  context: ToolContext,
): Promise<Mapped[]> {
  const mapped: Mapped[] = Array.from(chunks, (chunk) => ({
    chunk,
    answer: undefined,
    isKnown: false,
  }))
  let next = 0
  let done = 0
  let known = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < chunks.length; index = next++) {
      const entry = mapped[index] as Mapped
      try {
        const answered = await context.askChunk(questionOf(entry.chunk, question, context))
        if (answered === undefined) return
        entry.answer = answered.answer
        entry.isKnown = answered.isKnown
        if (answered.isKnown) known++
      } catch (error) {
        const isFailure = error instanceof ZeeError && !stopCodes.has(error.code)
        if (!isFailure) throw error
        entry.failure = error.message
      }
      context.progress(
        `map ${++done}/${chunks.length}${known === 0 ? '' : `, ${known} from the memo`}`,
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(context.parallel, chunks.length) }, worker))
  return mapped
}

function questionOf({ parts }: Chunk, question: string, context: ToolContext): ChunkQuestion {
  return {
    question,
    parts,
    async readText(callId) {
      const texts: string[] = []
      for (const part of parts) {
        const range = [part.start_line, part.end_line] as const
        const text = (await readSlice(context.corpus, part.path, range, callId)) ?? ''
        context.spending.addText(text)
        texts.push(`=== ${part.path}:${range.join('-')}\n${numbered(text, part.start_line)}`)
      }
      return texts.join('\n')
    },
  }
}

async function formatAnswers(mapped: readonly Mapped[], context: ToolContext): Promise<string> {
  const shown: string[] = []
  let none = 0
  let left = context.maxChars
  for (const entry of mapped) {
    const { answer } = entry
    if (answer === undefined) continue
    if (/^\W*none\W*$/i.test(answer.trim())) {
      none++
      continue
    }
    const text = `${await evidenceLines(entry, context)}\n${answer.trim()}`
    const cut = text.length > left ? `${text.slice(0, Math.max(0, left))} [cut]` : text
    left -= cut.length
    shown.push(cut)
    if (left <= 0) break
  }
  const failed = mapped.filter(({ failure }) => failure !== undefined)
  const unanswered = mapped.filter(({ answer }) => answer === undefined).length - failed.length
  const notes = [
    `${mapped.length} chunks, ${none} answered NONE`,
    ...(failed.length > 0 ? [`${failed.length} failed: ${failed[0]?.failure}`] : []),
    ...(unanswered > 0 ? [`${unanswered} not asked: the budget is spent`] : []),
    ...(left <= 0 ? ['some answers are not shown: ask for shorter ones'] : []),
  ]
  return `[${notes.join('; ')}]\n${shown.join('\n')}`
}

/** The lines that a sub-answer names, or else the parts of its chunk. */
async function evidenceLines({ chunk, answer }: Mapped, context: ToolContext): Promise<string> {
  const { corpus, ledger } = context
  const named = namedRanges(answer ?? '', chunk)
  const ranges = named.length > 0 ? named : chunk.parts.map((part) => rangeOf(part))
  const shown: string[] = []
  for (const { path, lines } of ranges.slice(0, maxShownRanges)) {
    const text = await readSlice(corpus, path, lines, context.callId)
    if (text === undefined) continue
    const evidence = ledger.addLines(path, lines[0], text)
    shown.push(`[${evidence.id}] ${locationOf(evidence)}`)
  }
  return shown.join(' ')
}

const maxShownRanges = 40

interface LineRange {
  path: string
  lines: [number, number]
}

function rangeOf({ path, start_line: start, end_line: end }: Part): LineRange {
  return { path, lines: [start, end] }
}

/** Citations such as `src/a.ts:3-9` in a sub-answer, if they lie in its chunk. */
function namedRanges(answer: string, { parts }: Chunk): LineRange[] {
  const ranges: LineRange[] = []
  for (const part of parts.filter(isObject)) {
    const name = part.path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    for (const [, first, last] of answer.matchAll(new RegExp(`${name}:(\\d+)(?:-(\\d+))?`, 'g'))) {
      const [start, end] = [Number(first), Number(last ?? first)]
      if (start >= part.start_line && end <= part.end_line && end >= start) {
        ranges.push({ path: part.path, lines: [start, end] })
      }
    }
  }
  return ranges
}
