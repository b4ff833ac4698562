// Claude Code: ~/.claude/projects/<folder>/<session>.jsonl. One answer may span several lines, each
// with its id and usage. `input_tokens` excludes cached input.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { contentText, asList, nonEmptyText, type Loose, type RunnerFormat } from './log.ts'
import { totalsCollector, type LogTotals } from './log-totals.ts'

export const claude: RunnerFormat = {
  name: 'claude',
  roots: ({ CLAUDE_CONFIG_DIR, HOME }) => {
    if (CLAUDE_CONFIG_DIR) return [path.join(CLAUDE_CONFIG_DIR, 'projects')]
    return HOME ? [path.join(HOME, '.claude/projects')] : []
  },
  depth: 2,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: totalsCollector(addLine),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
}

function addLine(line: Loose, totals: LogTotals): void {
  if (line.type !== 'assistant' && line.type !== 'user') return
  totals.usableLines++
  totals.sessionId ??= nonEmptyText(line.sessionId)
  if (line.type === 'user') addUserLine(line, totals)
  else addAnswerLine(line, totals)
}

/** Counts a user turn; tool results and program messages have the type `user` as well. */
function addUserLine(line: Loose, totals: LogTotals): void {
  const { content } = asObject(line.message)
  const isResult = asList(content).some((part) => asObject(part).type === 'tool_result')
  if (isResult || line.isMeta === true || line.isSidechain === true) return
  totals.addTurn()
  totals.addUserText(contentText(content))
}

function addAnswerLine(line: Loose, totals: LogTotals): void {
  totals.markAnswered()
  const message = asObject(line.message)
  const model = nonEmptyText(message.model)
  if (model !== undefined && model !== '<synthetic>') totals.model = model
  const id = nonEmptyText(message.id) ?? nonEmptyText(line.requestId) ?? nonEmptyText(line.uuid)
  totals.tokens.add(id, asObject(message.usage), usageFields)
  for (const part of asList(message.content)) {
    const { type, id: callId } = asObject(part)
    if (type === 'tool_use') totals.addCalls(1, nonEmptyText(callId))
  }
}
