// Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl. Token totals are cumulative and
// repeat, so the last one that is there is the truth.
import path from 'node:path'
import { contentText, countIn, known, objectIn, textIn } from './log.ts'
import type { Collector, Loose, RunnerFormat, RunnerReading } from './log.ts'
import { usageNumbers } from './token-sum.ts'

export const codex: RunnerFormat = {
  name: 'codex',
  roots: ({ CODEX_HOME, HOME }) => {
    const home = CODEX_HOME ? CODEX_HOME : HOME ? path.join(HOME, '.codex') : undefined
    return home === undefined ? [] : [path.join(home, 'sessions')]
  },
  depth: 4,
  isLog: (name) => /^rollout-.*\.jsonl(?:\.zst)?$/.test(name),
  namedBy: 'file',
  newestBy: 'path',
  collector: () => new CodexCollector(),
}

const usageFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  reasoning: 'reasoning_output_tokens',
  total: 'total_tokens',
}

class CodexCollector implements Collector {
  #usableLines = 0
  #threadId: string | undefined
  #provider: string | undefined
  #model: string | undefined
  readonly #turnIds = new Set<string>()
  #turnContexts = 0
  #userMessages = 0
  #items = 0
  readonly #calls = new Set<string>()
  #usage: Loose | undefined
  #window: number | undefined
  readonly #firstWords: string[] = []
  #answered = false

  take(line: Loose): void {
    const payload = objectIn(line.payload)
    switch (line.type) {
      case 'session_meta':
        this.#threadId ??= textIn(payload.id)
        this.#provider ??= textIn(payload.model_provider)
        break
      case 'turn_context':
        this.#takeTurn(payload)
        break
      case 'response_item':
        this.#takeItem(payload)
        break
      case 'event_msg':
        this.#takeEvent(payload)
        break
      default:
        return
    }
    this.#usableLines++
  }

  reading(): RunnerReading {
    return {
      usableLines: this.#usableLines,
      ...known({ threadId: this.#threadId }),
      firstWords: this.#firstWords,
      numbers: {
        ...known({ model: this.#model, modelProvider: this.#provider, turnCount: this.#turns() }),
        ...usageNumbers(this.#usage ?? {}, usageFields),
        ...known({
          modelContextWindow: this.#window,
          toolCalls: this.#items === 0 ? undefined : this.#calls.size,
        }),
      },
    }
  }

  #takeTurn(payload: Loose): void {
    this.#turnContexts++
    this.#model = textIn(payload.model) ?? this.#model
    const id = textIn(payload.turn_id)
    if (id !== undefined) this.#turnIds.add(id)
  }

  #takeItem(payload: Loose): void {
    this.#items++
    const { type, role } = payload
    if (typeof type === 'string' && type.endsWith('_call')) {
      this.#calls.add(textIn(payload.call_id) ?? textIn(payload.id) ?? `#${this.#items}`)
    }
    if (type === 'message' && role === 'user') this.#hear(contentText(payload.content))
    if (type === 'message' && role === 'assistant') this.#answered = true
  }

  #takeEvent(payload: Loose): void {
    if (payload.type === 'user_message') {
      this.#userMessages++
      this.#hear(textIn(payload.message) ?? '')
    } else if (payload.type === 'agent_message') this.#answered = true
    else if (payload.type === 'token_count') {
      const info = objectIn(payload.info)
      const total = objectIn(info.total_token_usage)
      if (Object.keys(total).length > 0) this.#usage = total
      this.#window = countIn(info.model_context_window) ?? this.#window
    }
  }

  #hear(text: string): void {
    if (!this.#answered && text !== '') this.#firstWords.push(text)
  }

  #turns(): number | undefined {
    if (this.#turnIds.size > 0) return this.#turnIds.size
    if (this.#userMessages > 0) return this.#userMessages
    return this.#turnContexts > 0 ? this.#turnContexts : undefined
  }
}
