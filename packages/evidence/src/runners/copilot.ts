// Copilot CLI: ~/.copilot/session-state/<session>/events.jsonl, one event a line.
import path from 'node:path'
import { objectIn, textIn, type Loose, type RunnerFormat } from './log.ts'
import { tallying, type RunnerTally } from './tally.ts'

export const copilot: RunnerFormat = {
  name: 'copilot',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.copilot/session-state')] : []),
  depth: 2,
  isLog: (name) => name === 'events.jsonl',
  namedBy: 'folder',
  newestBy: 'modified',
  collector: tallying(takeLine),
}

const usageFields = { input: 'inputTokens', output: 'outputTokens', cached: 'cacheReadTokens' }

function takeLine(line: Loose, tally: RunnerTally): void {
  const type = textIn(line.type)
  if (type === undefined || !/^(?:session|assistant|user|tool)\./.test(type)) return
  tally.usableLines++
  const data = objectIn(line.data)
  if (type === 'session.start') tally.sessionId ??= textIn(data.sessionId)
  else if (type === 'user.message') tally.hear(textIn(data.content) ?? '')
  else if (type === 'assistant.turn_start') {
    tally.markAnswered()
    tally.addTurn()
  } else if (type === 'tool.execution_start') tally.addCalls(1)
  else if (type === 'session.usage_record') takeUsage(objectIn(data.usage), tally)
}

function takeUsage(usage: Loose, tally: RunnerTally): void {
  tally.model = textIn(usage.model) ?? tally.model
  tally.tokens.add(undefined, usage, usageFields)
}
