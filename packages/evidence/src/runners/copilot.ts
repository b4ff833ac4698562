// Copilot CLI: ~/.copilot/session-state/<session>/events.jsonl, one event per line.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { nonEmptyText, type Loose, type RunnerFormat } from './log.ts'
import { totalsCollector, type LogTotals } from './log-totals.ts'

export const copilot: RunnerFormat = {
  name: 'copilot',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.copilot/session-state')] : []),
  depth: 2,
  isLog: (name) => name === 'events.jsonl',
  namedBy: 'folder',
  newestBy: 'modified',
  collector: totalsCollector(addLine),
}

const usageFields = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cacheReadTokens',
  written: 'cacheWriteTokens',
  inputHasCached: true,
}

function addLine(line: Loose, totals: LogTotals): void {
  const type = nonEmptyText(line.type)
  if (type === undefined || !/^(?:session|assistant|user|tool)\./.test(type)) return
  totals.usableLines++
  const data = asObject(line.data)
  if (type === 'session.start') totals.sessionId ??= nonEmptyText(data.sessionId)
  else if (type === 'user.message') {
    totals.addTurn()
    totals.addUserText(nonEmptyText(data.content) ?? '')
  } else if (type === 'assistant.turn_start') totals.markAnswered()
  else if (type === 'tool.execution_start') totals.addCalls(1)
  else if (type === 'session.usage_record') addUsage(asObject(data.usage), totals)
}

function addUsage(usage: Loose, totals: LogTotals): void {
  totals.model = nonEmptyText(usage.model) ?? totals.model
  totals.tokens.add(undefined, usage, usageFields)
}
