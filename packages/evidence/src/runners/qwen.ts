// Qwen Code: ~/.qwen/projects/<folder>/chats/<session>.jsonl. Usage has the field names of Gemini's
// API.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { contentText, asList, nonEmptyText, type Loose, type RunnerFormat } from './log.ts'
import { totalsCollector, type LogTotals } from './log-totals.ts'

export const qwen: RunnerFormat = {
  name: 'qwen',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.qwen/projects')] : []),
  depth: 3,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: totalsCollector(addLine),
}

const usageFields = {
  input: 'promptTokenCount',
  output: 'candidatesTokenCount',
  cached: 'cachedContentTokenCount',
  reasoning: 'thoughtsTokenCount',
  total: 'totalTokenCount',
  inputHasCached: true,
  outputLacksThinking: true,
}

const types: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system'])

function addLine(line: Loose, totals: LogTotals): void {
  if (!types.has(line.type)) return
  totals.usableLines++
  totals.sessionId ??= nonEmptyText(line.sessionId)
  const { parts } = asObject(line.message)
  if (line.type === 'user') {
    totals.addTurn()
    totals.addUserText(contentText(parts ?? line.content))
  } else if (line.type === 'assistant') {
    totals.markAnswered()
    totals.model = nonEmptyText(line.model) ?? totals.model
    totals.addCalls(asList(parts).filter((part) => 'functionCall' in asObject(part)).length)
    totals.tokens.add(nonEmptyText(line.uuid), asObject(line.usageMetadata), usageFields)
  }
}
