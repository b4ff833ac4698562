// zdx: $ZDX_HOME/sessions/<id>.jsonl. The first line that an answer leaves carries who gave it and what
// it took; cached input is a part of the input.
import path from 'node:path'
import { objectIn, textIn, type Loose, type RunnerFormat } from './log.ts'
import { tallying, type RunnerTally } from './tally.ts'

export const zdx: RunnerFormat = {
  name: 'zdx',
  roots: ({ ZDX_HOME, XDG_CONFIG_HOME, HOME }) => {
    if (ZDX_HOME) return [path.join(ZDX_HOME, 'sessions')]
    if (XDG_CONFIG_HOME) return [path.join(XDG_CONFIG_HOME, 'zdx/sessions')]
    return HOME ? [path.join(HOME, '.config/zdx/sessions')] : []
  },
  depth: 1,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: tallying(takeLine),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  reasoning: 'thinking_tokens',
}

const types: ReadonlySet<unknown> = new Set([
  'meta',
  'message',
  'thinking',
  'tool_use',
  'tool_result',
  'interrupted',
])

function takeLine(line: Loose, tally: RunnerTally): void {
  if (!types.has(line.type)) return
  tally.usableLines++
  if (line.type === 'tool_use') tally.addCalls(1)
  if (line.type === 'message' && line.role === 'user') {
    tally.addTurn()
    tally.hear(textIn(line.text) ?? '')
  } else if (line.type === 'message' || line.type === 'tool_use') tally.markAnswered()
  tally.model = textIn(line.model) ?? tally.model
  if (line.type !== 'thinking') tally.provider = textIn(line.provider) ?? tally.provider
  tally.tokens.add(undefined, objectIn(line.usage), usageFields)
}
