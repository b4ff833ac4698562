// Gemini CLI: ~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl. A message is written again when
// its tools have run: the last line with its id counts.
import path from 'node:path'
import { contentText, listIn, objectIn, textIn, type Loose, type RunnerFormat } from './log.ts'
import { tallying, type RunnerTally } from './tally.ts'

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
  collector: tallying(takeLine),
}

const usageFields = {
  input: 'input',
  output: 'output',
  cached: 'cached',
  reasoning: 'thoughts',
  total: 'total',
}

function takeLine(line: Loose, tally: RunnerTally): void {
  const sessionId = textIn(line.sessionId)
  tally.sessionId ??= sessionId
  if (line.type === 'user') takeUser(line, tally)
  else if (line.type === 'gemini') takeAnswer(line, tally)
  else if (line.type === undefined && sessionId !== undefined) tally.usableLines++
}

function takeUser(line: Loose, tally: RunnerTally): void {
  tally.usableLines++
  tally.addTurn(textIn(line.id))
  tally.hear(contentText(line.content ?? line.message))
}

function takeAnswer(line: Loose, tally: RunnerTally): void {
  tally.usableLines++
  tally.markAnswered()
  const id = textIn(line.id)
  tally.model = textIn(line.model) ?? tally.model
  tally.addCalls(listIn(line.toolCalls).length, id)
  tally.tokens.add(id, objectIn(line.tokens), usageFields)
}
