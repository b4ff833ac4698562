// pi: <agent folder>/sessions/--<cwd>--/<time>_<session>.jsonl. A session is a tree; only the
// branch to its last entry counts.
import path from 'node:path'
import { asObject } from '../json/json.ts'
import { contentText, withoutUndefined, asList, nonEmptyText } from './log.ts'
import type { Collector, Loose, RunnerFormat, RunnerReading } from './log.ts'
import { TokenSum } from './token-sum.ts'

export const pi: RunnerFormat = {
  name: 'pi',
  roots: ({ PI_CODING_AGENT_DIR, HOME }) => {
    if (PI_CODING_AGENT_DIR) return [path.join(PI_CODING_AGENT_DIR, 'sessions')]
    return HOME ? [path.join(HOME, '.pi/agent/sessions')] : []
  },
  depth: 2,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector: () => new PiCollector(),
}

const usageFields = {
  input: 'input',
  output: 'output',
  cached: 'cacheRead',
  written: 'cacheWrite',
  total: 'totalTokens',
}

/** The stored fields of an entry; texts are dropped, because sessions may be long. */
interface Entry {
  parentId: string | undefined
  role: string | undefined
  provider: string | undefined
  model: string | undefined
  usage: Loose
  calls: number
}

class PiCollector implements Collector {
  #usableLines = 0
  #sessionId: string | undefined
  readonly #entries = new Map<string, Entry>()
  #lastId: string | undefined
  #answered = false
  readonly #firstUserTexts: string[] = []

  addLine(line: Loose): void {
    if (line.type === 'session') {
      this.#usableLines++
      this.#sessionId ??= nonEmptyText(line.id)
      return
    }
    const isMessage = line.type === 'message'
    if (isMessage) this.#usableLines++
    const message = asObject(line.message)
    // Entries of other types are nodes of the tree as well; entries of old sessions have no ids.
    const id = nonEmptyText(line.id) ?? (isMessage ? `#${this.#usableLines}` : undefined)
    if (id === undefined) return
    this.#entries.set(id, {
      parentId: nonEmptyText(line.id) === undefined ? this.#lastId : nonEmptyText(line.parentId),
      role: isMessage ? nonEmptyText(message.role) : undefined,
      provider: nonEmptyText(message.provider),
      model: nonEmptyText(message.model),
      usage: asObject(message.usage),
      calls: asList(message.content).filter((part) => asObject(part).type === 'toolCall').length,
    })
    this.#lastId = id
    if (message.role === 'assistant') this.#answered = true
    else if (message.role === 'user' && !this.#answered) {
      this.#firstUserTexts.push(contentText(message.content))
    }
  }

  reading(): RunnerReading {
    const branch = this.#activeBranch()
    const tokens = new TokenSum()
    for (const { usage } of branch) tokens.add(undefined, usage, usageFields)
    const answers = branch.filter(({ role }) => role === 'assistant')
    const turns = branch.filter(({ role }) => role === 'user').length
    return {
      usableLines: this.#usableLines,
      ...withoutUndefined({ sessionId: this.#sessionId }),
      firstUserTexts: this.#firstUserTexts,
      numbers: {
        ...withoutUndefined({
          model: answers.at(-1)?.model,
          modelProvider: answers.at(-1)?.provider,
          turnCount: turns === 0 ? undefined : turns,
        }),
        ...tokens.numbers(),
        ...withoutUndefined({
          toolCalls:
            answers.length === 0 ? undefined : answers.reduce((sum, { calls }) => sum + calls, 0),
        }),
      },
    }
  }

  /** The entries from the root to the last entry. */
  #activeBranch(): Entry[] {
    const branch: Entry[] = []
    const seen = new Set<string>()
    for (let id = this.#lastId; id !== undefined && !seen.has(id);) {
      seen.add(id)
      const entry = this.#entries.get(id)
      if (entry !== undefined) branch.push(entry)
      id = entry?.parentId
    }
    return branch.reverse()
  }
}
