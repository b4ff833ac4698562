// Chooses the entries of a session by a text and by failure.
import type { EntryFacts, ToolFacts, ToolTexts, TurnFacts, Usage } from '../data/data.ts'

export type Filter = 'all' | 'failed'

/** An entry with its place in the whole session, `turn.index`. */
export interface PlacedEntry {
  place: string
  entry: EntryFacts
}

export interface ShownTurn {
  /** From 1, in the whole session. */
  number: number
  entries: PlacedEntry[]
  /** Absent when entries are left out. */
  usage?: Usage | undefined
}

export type TextsOf = (call: ToolFacts) => ToolTexts | undefined

/** The turns with matching entries only; everything without a text and with `all`. */
export function filteredTurns(
  turns: readonly TurnFacts[],
  query: string,
  filter: Filter,
  textsOf: TextsOf,
): ShownTurn[] {
  const all = turns.map(({ entries, usage }, index) => ({
    number: index + 1,
    entries: entries.map((entry, at) => ({ place: `${index + 1}.${at}`, entry })),
    usage,
  }))
  const needle = query.trim().toLowerCase()
  if (needle === '' && filter === 'all') return all
  const isShown = ({ entry }: PlacedEntry): boolean =>
    (filter === 'all' || isFailed(entry)) &&
    (needle === '' || searchText(entry, textsOf).includes(needle))
  return all
    .map(({ number, entries }) => ({ number, entries: entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0)
}

export function countEntries(turns: readonly ShownTurn[]): number {
  return turns.reduce((sum, { entries }) => sum + entries.length, 0)
}

/** A command that exits with another code than 0 has failed, too. */
function isFailed(entry: EntryFacts): boolean {
  return entry.type === 'tool' && (entry.ok === false || entry.exit !== undefined)
}

const searchTexts = new WeakMap<EntryFacts, string>()

/** The text of an entry in lower case, cached once the texts of a call are loaded. */
function searchText(entry: EntryFacts, textsOf: TextsOf): string {
  const cached = searchTexts.get(entry)
  if (cached !== undefined) return cached
  const texts = entry.type === 'tool' ? textsOf(entry) : undefined
  const text = entryText(entry, texts).toLowerCase()
  if (entry.type !== 'tool' || texts !== undefined) searchTexts.set(entry, text)
  return text
}

function entryText(entry: EntryFacts, texts: ToolTexts | undefined): string {
  switch (entry.type) {
    case 'prompt':
    case 'thinking':
      return entry.text
    case 'answer':
      return JSON.stringify(entry.blocks)
    case 'tool':
      return `${entry.name} ${entry.title} ${texts?.input.text ?? ''} ${texts?.result?.text ?? ''}`
    case 'undo':
    case 'redo':
      return entry.files.join(' ')
    case 'interrupted':
      return 'interrupted'
  }
}
