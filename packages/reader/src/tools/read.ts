// read: lines of a file, as one numbered slice.
import { locationOf } from '../evidence/evidence.ts'
import { objectSchema, optionalNumber, requiredText } from './input.ts'
import type { Corpus, ReaderTool } from './tools.ts'

const defaultLines = 200
const maxLines = 2000

export const read: ReaderTool = {
  name: 'read',
  description: 'Read lines of a file. The result has a number such as [E3] to cite.',
  schema: objectSchema(
    {
      path: { type: 'string' },
      start_line: { type: 'integer', description: 'from 1' },
      end_line: { type: 'integer', description: 'inclusive' },
    },
    ['path'],
  ),
  async run(input, { corpus, ledger, callId, maxChars }) {
    const path = requiredText(input, 'path')
    const start = Math.max(1, optionalNumber(input, 'start_line') ?? 1)
    const end = Math.max(start, optionalNumber(input, 'end_line') ?? start + defaultLines - 1)
    const result = await corpus.run(
      'read_file',
      { path, start_line: start, end_line: end, max_lines: maxLines, max_chars: maxChars },
      callId,
    )
    const total = Number(result.total_lines)
    const text = wholeLines(String(result.text), result.next_cursor !== undefined)
    if (text === undefined) return `${path} has ${total} lines; nothing at ${start}`
    const evidence = ledger.addLines(String(result.path), start, text)
    const last = evidence.lines[1]
    const more = last < Math.min(end, total) ? `\n[cut; go on at line ${last + 1}]` : ''
    return `[${evidence.id}] ${locationOf(evidence)} of ${total} lines\n${numbered(text, start)}${more}`
  },
}

/** A page may end inside a line; a single line that is too long is kept as it is. */
function wholeLines(text: string, isCut: boolean): string | undefined {
  if (text === '') return isCut ? undefined : text
  const end = isCut ? text.lastIndexOf('\n') : -1
  return end > 0 ? text.slice(0, end) : text
}

/** `12: text` for every line. */
export function numbered(text: string, start: number): string {
  return text
    .split('\n')
    .map((line, index) => `${start + index}: ${line}`)
    .join('\n')
}

/** Lines of a file, complete or not at all. */
export async function readSlice(
  corpus: Corpus,
  path: string,
  [start, end]: readonly [number, number],
  callId?: string,
): Promise<string | undefined> {
  const lines = end - start + 1
  const args = { path, start_line: start, end_line: end, max_lines: lines }
  const { text, metrics, next_cursor: cursor } = await corpus.run('read_file', args, callId)
  return metrics.lines_returned === lines && cursor === undefined ? String(text) : undefined
}
