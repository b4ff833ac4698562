// Gemini CLI: ~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl. A message is written again when
// its tools have run: the last line with its id counts.
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

export const gemini: RunnerFormat = {
  name: 'gemini',
  roots: ({ GEMINI_CLI_HOME, HOME }) => {
    const home = GEMINI_CLI_HOME ? GEMINI_CLI_HOME : HOME
    return home ? [path.join(home, '.gemini/tmp')] : []
  },
  depth: 3,
  isLog: (name) => /^session-.*\.jsonl$/.test(name),
  namedBy: 'file',
  newestBy: 'modified',
  collector: () => new GeminiCollector(),
}

const usageFields = {
  input: 'input',
  output: 'output',
  cached: 'cached',
  reasoning: 'thoughts',
  total: 'total',
}

class GeminiCollector implements Collector {
  #usableLines = 0
  #sessionId: string | undefined
  #model: string | undefined
  readonly #prompts = new Set<string>()
  readonly #calls = new Map<string, number>()
  #answered = false
  readonly #tokens = new TokenSum()
  readonly #firstWords: string[] = []

  take(line: Loose): void {
    this.#sessionId ??= textIn(line.sessionId)
    if (line.type === undefined && textIn(line.sessionId) !== undefined) this.#usableLines++
    if (line.type === 'user') this.#takeUser(line)
    else if (line.type === 'gemini') this.#takeAnswer(line)
  }

  reading(): RunnerReading {
    const numbers = this.#tokens.numbers()
    const toolCalls = [...this.#calls.values()].reduce((sum, count) => sum + count, 0)
    return {
      usableLines: this.#usableLines,
      ...known({ sessionId: this.#sessionId }),
      firstWords: this.#firstWords,
      numbers: {
        ...known({
          model: this.#model,
          turnCount: this.#prompts.size === 0 ? undefined : this.#prompts.size,
        }),
        ...numbers,
        ...known({ toolCalls: this.#answered ? toolCalls : undefined }),
      },
    }
  }

  #takeUser(line: Loose): void {
    this.#usableLines++
    this.#prompts.add(textIn(line.id) ?? `#${this.#usableLines}`)
    if (!this.#answered) this.#firstWords.push(contentText(line.content ?? line.message))
  }

  #takeAnswer(line: Loose): void {
    this.#usableLines++
    this.#answered = true
    const id = textIn(line.id)
    this.#model = textIn(line.model) ?? this.#model
    this.#calls.set(id ?? `#${this.#usableLines}`, listIn(line.toolCalls).length)
    this.#tokens.add(id, objectIn(line.tokens), usageFields)
  }
}
