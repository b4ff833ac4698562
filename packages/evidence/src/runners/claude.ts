// Claude Code: ~/.claude/projects/<folder>/<session>.jsonl. One answer may take several lines, all with
// its id and its usage; cached input stands beside `input_tokens`, not within it.
import path from 'node:path'
import { contentText, listIn, objectIn, textIn, type Loose, type RunnerFormat } from './log.ts'
import { tallying, type RunnerTally } from './tally.ts'

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
  collector: tallying(takeLine),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
}

function takeLine(line: Loose, tally: RunnerTally): void {
  if (line.type !== 'assistant' && line.type !== 'user') return
  tally.usableLines++
  tally.sessionId ??= textIn(line.sessionId)
  if (line.type === 'user') takeUser(line, tally)
  else takeAnswer(line, tally)
}

/** Results of tools and remarks of the program itself come as the user, too. */
function takeUser(line: Loose, tally: RunnerTally): void {
  const { content } = objectIn(line.message)
  const isResult = listIn(content).some((part) => objectIn(part).type === 'tool_result')
  if (isResult || line.isMeta === true || line.isSidechain === true) return
  tally.addTurn()
  tally.hear(contentText(content))
}

function takeAnswer(line: Loose, tally: RunnerTally): void {
  tally.markAnswered()
  const message = objectIn(line.message)
  const model = textIn(message.model)
  if (model !== undefined && model !== '<synthetic>') tally.model = model
  const id = textIn(message.id) ?? textIn(line.requestId) ?? textIn(line.uuid)
  tally.tokens.add(id, objectIn(message.usage), usageFields)
  for (const part of listIn(message.content)) {
    const { type, id: callId } = objectIn(part)
    if (type === 'tool_use') tally.addCalls(1, textIn(callId))
  }
}
