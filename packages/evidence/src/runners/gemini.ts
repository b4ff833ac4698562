// Gemini CLI: ~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl. A message is rewritten after
// its tools have run, so the last line with its id counts.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { contentText, asList, nonEmptyText, type Loose, type RunnerFormat } from './log.ts'
import { totalsCollector, type LogTotals } from './log-totals.ts'

export const gemini: RunnerFormat = {
  name: 'gemini',
  roots: ({ GEMINI_CLI_HOME, HOME }) => {
    const home = GEMINI_CLI_HOME ? GEMINI_CLI_HOME : HOME
    return home ? [path.join(home, '.gemini/tmp')] : []
  },
  depth: 3,
  isLog: (name) => /^session-.*\.jsonl$/.test(name),
  namedBy: 'file',
  newestBy: 'modified',
  collector: totalsCollector(addLine),
}

const usageFields = {
  input: 'input',
  output: 'output',
  cached: 'cached',
  reasoning: 'thoughts',
  total: 'total',
  inputHasCached: true,
  outputLacksThinking: true,
}

function addLine(line: Loose, totals: LogTotals): void {
  const sessionId = nonEmptyText(line.sessionId)
  totals.sessionId ??= sessionId
  if (line.type === 'user') addUserLine(line, totals)
  else if (line.type === 'gemini') addAnswerLine(line, totals)
  else if (line.type === undefined && sessionId !== undefined) totals.usableLines++
}

/** Counts a user turn; results of tools have the type `user` as well. */
function addUserLine(line: Loose, totals: LogTotals): void {
  totals.usableLines++
  const parts = asList(line.content).map(asObject)
  if (parts.length > 0 && parts.every((part) => part.functionResponse !== undefined)) return
  totals.addTurn(nonEmptyText(line.id))
  totals.addUserText(contentText(line.content ?? line.message))
}

function addAnswerLine(line: Loose, totals: LogTotals): void {
  totals.usableLines++
  totals.markAnswered()
  const id = nonEmptyText(line.id)
  totals.model = nonEmptyText(line.model) ?? totals.model
  totals.addCalls(asList(line.toolCalls).length, id)
  totals.tokens.add(id, asObject(line.tokens), usageFields)
}
