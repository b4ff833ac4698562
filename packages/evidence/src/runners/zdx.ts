// zdx: $ZDX_HOME/sessions/<id>.jsonl. The first line of an answer carries provider, model and
// usage; cached input is included in the input.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { nonEmptyText, type Loose, type RunnerFormat } from './log.ts'
import { totalsCollector, type LogTotals } from './log-totals.ts'

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
  collector: totalsCollector(addLine),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  written: 'cache_write_tokens',
  reasoning: 'thinking_tokens',
  inputHasCached: true,
}

const types: ReadonlySet<unknown> = new Set([
  'meta',
  'message',
  'thinking',
  'tool_use',
  'tool_result',
  'interrupted',
])

function addLine(line: Loose, totals: LogTotals): void {
  if (!types.has(line.type)) return
  totals.usableLines++
  if (line.type === 'tool_use') totals.addCalls(1)
  if (line.type === 'message' && line.role === 'user') {
    totals.addTurn()
    totals.addUserText(nonEmptyText(line.text) ?? '')
  } else if (line.type === 'message' || line.type === 'tool_use') totals.markAnswered()
  totals.model = nonEmptyText(line.model) ?? totals.model
  if (line.type !== 'thinking') totals.provider = nonEmptyText(line.provider) ?? totals.provider
  totals.tokens.add(undefined, asObject(line.usage), usageFields)
}
