// Copilot CLI: ~/.copilot/session-state/<session>/events.jsonl, one event a line.
import path from 'node:path'
import {
  known,
  objectIn,
  textIn,
  type Collector,
  type RunnerFormat,
  type RunnerReading,
} from './runner-log.ts'
import { TokenSum } from './token-sum.ts'

type Loose = Readonly<Record<string, unknown>>

export const copilot: RunnerFormat = {
  name: 'copilot',
  roots: ({ HOME }) => (HOME ? [path.join(HOME, '.copilot/session-state')] : []),
  depth: 2,
  isLog: (name) => name === 'events.jsonl',
  namedBy: 'folder',
  newestBy: 'modified',
  collector: () => new CopilotCollector(),
}

const usageFields = { input: 'inputTokens', output: 'outputTokens', cached: 'cacheReadTokens' }

class CopilotCollector implements Collector {
  #usableLines = 0
  #sessionId: string | undefined
  #model: string | undefined
  #turns = 0
  #calls = 0
  #answered = false
  readonly #tokens = new TokenSum()
  readonly #firstWords: string[] = []

  take(line: Loose): void {
    const type = textIn(line.type)
    if (type === undefined || !/^(?:session|assistant|user|tool)\./.test(type)) return
    this.#usableLines++
    const data = objectIn(line.data)
    if (type === 'session.start') this.#sessionId ??= textIn(data.sessionId)
    if (type === 'user.message' && !this.#answered) {
      this.#firstWords.push(textIn(data.content) ?? '')
    }
    if (type === 'assistant.turn_start') {
      this.#answered = true
      this.#turns++
    }
    if (type === 'tool.execution_start') this.#calls++
    if (type === 'session.usage_record') this.#takeUsage(objectIn(data.usage))
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

  #takeUsage(usage: Loose): void {
    this.#model = textIn(usage.model) ?? this.#model
    this.#tokens.add(undefined, usage, usageFields)
  }
}
