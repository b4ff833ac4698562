// zdx: $ZDX_HOME/sessions/<id>.jsonl. The first line that an answer leaves carries who gave it and what
// it took; cached input is a part of the input.
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
  collector: () => new ZdxCollector(),
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

class ZdxCollector implements Collector {
  #usableLines = 0
  #model: string | undefined
  #provider: string | undefined
  #turns = 0
  #calls = 0
  #answered = false
  readonly #tokens = new TokenSum()
  readonly #firstWords: string[] = []

  take(line: Loose): void {
    if (!types.has(line.type)) return
    this.#usableLines++
    if (line.type === 'tool_use') this.#calls++
    if (line.type === 'message' && line.role === 'user') {
      this.#turns++
      if (!this.#answered) this.#firstWords.push(textIn(line.text) ?? '')
    } else if (line.type === 'message' || line.type === 'tool_use') this.#answered = true
    this.#model = textIn(line.model) ?? this.#model
    if (line.type !== 'thinking') this.#provider = textIn(line.provider) ?? this.#provider
    this.#tokens.add(undefined, objectIn(line.usage), usageFields)
  }

  reading(): RunnerReading {
    const numbers = this.#tokens.numbers()
    return {
      usableLines: this.#usableLines,
      firstWords: this.#firstWords,
      numbers: {
        ...known({
          model: this.#model,
          modelProvider: this.#provider,
          turnCount: this.#turns === 0 ? undefined : this.#turns,
        }),
        ...numbers,
        ...known({
          toolCalls: this.#answered ? this.#calls : undefined,
        }),
      },
    }
  }
}
