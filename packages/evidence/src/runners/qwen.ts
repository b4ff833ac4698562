// Qwen Code: ~/.qwen/projects/<folder>/chats/<session>.jsonl, with usage in the words of Gemini's API.
import path from 'node:path'
import {
  contentText,
  known,
  listIn,
  objectIn,
  textIn,
  type Collector,
  type RunnerFormat,
  type RunnerReading,
} from './runner-log.ts'
import { TokenSum } from './token-sum.ts'

type Loose = Readonly<Record<string, unknown>>

export const qwen: RunnerFormat = {
  name: 'qwen',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.qwen/projects')] : []),
  depth: 3,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: () => new QwenCollector(),
}

const usageFields = {
  input: 'promptTokenCount',
  output: 'candidatesTokenCount',
  cached: 'cachedContentTokenCount',
  reasoning: 'thoughtsTokenCount',
  total: 'totalTokenCount',
}

class QwenCollector implements Collector {
  #usableLines = 0
  #sessionId: string | undefined
  #model: string | undefined
  #turns = 0
  #calls = 0
  #answered = false
  readonly #tokens = new TokenSum()
  readonly #firstWords: string[] = []

  take(line: Loose): void {
    if (!['user', 'assistant', 'tool_result', 'system'].includes(String(line.type))) return
    this.#usableLines++
    this.#sessionId ??= textIn(line.sessionId)
    const { parts } = objectIn(line.message)
    if (line.type === 'user') {
      this.#turns++
      if (!this.#answered) this.#firstWords.push(contentText(parts ?? line.content))
    } else if (line.type === 'assistant') {
      this.#answered = true
      this.#model = textIn(line.model) ?? this.#model
      this.#calls += listIn(parts).filter((part) => 'functionCall' in objectIn(part)).length
      this.#tokens.add(textIn(line.uuid), objectIn(line.usageMetadata), usageFields)
    }
  }

  reading(): RunnerReading {
    return {
      usableLines: this.#usableLines,
      ...known({ sessionId: this.#sessionId }),
      firstWords: this.#firstWords,
      numbers: {
        ...known({ model: this.#model, turnCount: this.#turns === 0 ? undefined : this.#turns }),
        ...this.#tokens.numbers(),
        ...known({ toolCalls: this.#answered ? this.#calls : undefined }),
      },
    }
  }
}
