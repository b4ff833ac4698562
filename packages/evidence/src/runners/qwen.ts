// Qwen Code: ~/.qwen/projects/<folder>/chats/<session>.jsonl, with usage in the words of Gemini's API.
import path from 'node:path'
import { contentText, listIn, objectIn, textIn, type Loose, type RunnerFormat } from './log.ts'
import { tallying, type RunnerTally } from './tally.ts'

export const qwen: RunnerFormat = {
  name: 'qwen',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.qwen/projects')] : []),
  depth: 3,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: tallying(takeLine),
}

const usageFields = {
  input: 'promptTokenCount',
  output: 'candidatesTokenCount',
  cached: 'cachedContentTokenCount',
  reasoning: 'thoughtsTokenCount',
  total: 'totalTokenCount',
}

const types: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system'])

function takeLine(line: Loose, tally: RunnerTally): void {
  if (!types.has(line.type)) return
  tally.usableLines++
  tally.sessionId ??= textIn(line.sessionId)
  const { parts } = objectIn(line.message)
  if (line.type === 'user') {
    tally.addTurn()
    tally.hear(contentText(parts ?? line.content))
  } else if (line.type === 'assistant') {
    tally.markAnswered()
    tally.model = textIn(line.model) ?? tally.model
    tally.addCalls(listIn(parts).filter((part) => 'functionCall' in objectIn(part)).length)
    tally.tokens.add(textIn(line.uuid), objectIn(line.usageMetadata), usageFields)
  }
}
