// A file of `opencode export <session>`: one JSON document with the session and its messages. Node below
// 22.13 can read it, unlike the database.
import { readBoundedFile } from '@zee/core/bounded-file'
import { asObject } from '../json/json.ts'
import { asList, nonEmptyText, withoutUndefined, type Loose, type RunnerReading } from './log.ts'
import { TokenSum } from './token-sum.ts'

const usageFields = {
  input: 'input',
  output: 'output',
  cached: 'read',
  written: 'write',
  reasoning: 'reasoning',
  outputLacksThinking: true,
}

/** Undefined if the file is no exported session. */
export function readOpencodeExport(file: string): RunnerReading | undefined {
  const exported = parseExport(file)
  const sessionId = nonEmptyText(asObject(exported.info).id)
  if (sessionId === undefined) return undefined
  const messages = asList(exported.messages).map(asObject)
  const infos = messages.map(({ info }) => asObject(info))
  const answers = infos.filter(({ role }) => role === 'assistant')
  const last = answers.at(-1) ?? {}
  const tokens = new TokenSum()
  for (const { id, tokens: usage } of answers) {
    const counts = asObject(usage)
    tokens.add(nonEmptyText(id), { ...counts, ...asObject(counts.cache) }, usageFields)
  }
  const parts = messages.flatMap(({ parts: list }) => asList(list).map(asObject))
  return {
    usableLines: 1,
    sessionId,
    firstUserTexts: [],
    numbers: {
      ...withoutUndefined({
        model: nonEmptyText(last.modelID),
        modelProvider: nonEmptyText(last.providerID),
      }),
      turnCount: infos.filter(({ role }) => role === 'user').length,
      ...tokens.numbers(),
      modelCalls: answers.length,
      toolCalls: parts.filter(({ type }) => type === 'tool').length,
    },
  }
}

function parseExport(file: string): Loose {
  if (!file.endsWith('.json')) return {}
  try {
    return asObject(JSON.parse(readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8')))
  } catch {
    return {}
  }
}
