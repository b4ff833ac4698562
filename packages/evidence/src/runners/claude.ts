// Claude Code: ~/.claude/projects/<folder>/<session>.jsonl. One answer may take several lines, all with
// its id and its usage; cached input stands beside `input_tokens`, not within it.
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

export const claude: RunnerFormat = {
  name: 'claude',
  roots: ({ CLAUDE_CONFIG_DIR, HOME }) => {
    const home = CLAUDE_CONFIG_DIR
      ? CLAUDE_CONFIG_DIR
      : HOME
        ? path.join(HOME, '.claude')
        : undefined
    return home === undefined ? [] : [path.join(home, 'projects')]
  },
  depth: 2,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: () => new ClaudeCollector(),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
}

class ClaudeCollector implements Collector {
  #usableLines = 0
  #sessionId: string | undefined
  #model: string | undefined
  #turns = 0
  readonly #calls = new Set<string>()
  readonly #tokens = new TokenSum()
  readonly #firstWords: string[] = []
  #answered = false

  take(line: Loose): void {
    if (line.type !== 'assistant' && line.type !== 'user') return
    this.#usableLines++
    this.#sessionId ??= textIn(line.sessionId)
    if (line.type === 'user') this.#takeUser(line)
    else this.#takeAnswer(line)
  }

  reading(): RunnerReading {
    const numbers = this.#tokens.numbers()
    return {
      usableLines: this.#usableLines,
      ...known({ sessionId: this.#sessionId }),
      firstWords: this.#firstWords,
      numbers: {
        ...known({ model: this.#model, turnCount: this.#turns === 0 ? undefined : this.#turns }),
        ...numbers,
        ...known({
          toolCalls: this.#answered ? this.#calls.size : undefined,
        }),
      },
    }
  }

  /** Results of tools and remarks of the program itself come as the user, too. */
  #takeUser(line: Loose): void {
    const { content } = objectIn(line.message)
    const isResult = listIn(content).some((part) => objectIn(part).type === 'tool_result')
    if (isResult || line.isMeta === true || line.isSidechain === true) return
    this.#turns++
    if (!this.#answered) this.#firstWords.push(contentText(content))
  }

  #takeAnswer(line: Loose): void {
    this.#answered = true
    const message = objectIn(line.message)
    const model = textIn(message.model)
    if (model !== undefined && model !== '<synthetic>') this.#model = model
    const id = textIn(message.id) ?? textIn(line.requestId) ?? textIn(line.uuid)
    this.#tokens.add(id, objectIn(message.usage), usageFields)
    for (const part of listIn(message.content)) {
      const { type, id: callId } = objectIn(part)
      if (type === 'tool_use') this.#calls.add(textIn(callId) ?? `#${this.#calls.size}`)
    }
  }
}
