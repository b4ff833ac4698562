// Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl. Token totals are cumulative,
// so only the last one counts.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { contentText, asCount, withoutUndefined, nonEmptyText } from './log.ts'
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
  written: 'cache_write_input_tokens',
  reasoning: 'reasoning_output_tokens',
  total: 'total_tokens',
  inputHasCached: true,
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
  /** The distinct cumulative totals: one per answer of the model. */
  readonly #totals = new Set<string>()
  #window: number | undefined
  readonly #firstUserTexts: string[] = []
  #answered = false

  addLine(line: Loose): void {
    const payload = asObject(line.payload)
    switch (line.type) {
      case 'session_meta':
        this.#threadId ??= nonEmptyText(payload.id)
        this.#provider ??= nonEmptyText(payload.model_provider)
        break
      case 'turn_context':
        this.#addTurn(payload)
        break
      case 'response_item':
        this.#addItem(payload)
        break
      case 'event_msg':
        this.#addEvent(payload)
        break
      default:
        return
    }
    this.#usableLines++
  }

  reading(): RunnerReading {
    return {
      usableLines: this.#usableLines,
      ...withoutUndefined({ threadId: this.#threadId }),
      firstUserTexts: this.#firstUserTexts,
      numbers: {
        ...withoutUndefined({
          model: this.#model,
          modelProvider: this.#provider,
          turnCount: this.#turns(),
        }),
        ...usageNumbers(this.#usage ?? {}, usageFields),
        ...withoutUndefined({
          modelContextWindow: this.#window,
          modelCalls: this.#totals.size === 0 ? undefined : this.#totals.size,
          toolCalls: this.#items === 0 ? undefined : this.#calls.size,
        }),
      },
    }
  }

  #addTurn(payload: Loose): void {
    this.#turnContexts++
    this.#model = nonEmptyText(payload.model) ?? this.#model
    const id = nonEmptyText(payload.turn_id)
    if (id !== undefined) this.#turnIds.add(id)
  }

  #addItem(payload: Loose): void {
    this.#items++
    const { type, role } = payload
    if (typeof type === 'string' && type.endsWith('_call')) {
      this.#calls.add(
        nonEmptyText(payload.call_id) ?? nonEmptyText(payload.id) ?? `#${this.#items}`,
      )
    }
    if (type === 'message' && role === 'user') this.#addUserText(contentText(payload.content))
    if (type === 'message' && role === 'assistant') this.#answered = true
  }

  #addEvent(payload: Loose): void {
    if (payload.type === 'user_message') {
      this.#userMessages++
      this.#addUserText(nonEmptyText(payload.message) ?? '')
    } else if (payload.type === 'agent_message') this.#answered = true
    else if (payload.type === 'token_count') {
      const info = asObject(payload.info)
      const total = asObject(info.total_token_usage)
      // An event may repeat the totals of the one before it.
      if (Object.keys(total).length > 0) {
        this.#usage = total
        this.#totals.add(JSON.stringify(total))
      }
      this.#window = asCount(info.model_context_window) ?? this.#window
    }
  }

  #addUserText(text: string): void {
    if (!this.#answered && text !== '') this.#firstUserTexts.push(text)
  }

  #turns(): number | undefined {
    if (this.#turnIds.size > 0) return this.#turnIds.size
    if (this.#userMessages > 0) return this.#userMessages
    return this.#turnContexts > 0 ? this.#turnContexts : undefined
  }
}
