// Chooses the entries of a session by a text and by failure.
import type { EntryFacts, TurnFacts } from '../data/data.ts'

export type Filter = 'all' | 'failed'

export interface NumberedTurn {
  turn: TurnFacts
  /** From 1, in the whole session. */
  number: number
}

/** The turns with matching entries only; everything without a text and with `all`. */
export function filteredTurns(
  turns: readonly TurnFacts[],
  query: string,
  filter: Filter,
): NumberedTurn[] {
  const numbered = turns.map((turn, index) => ({ turn, number: index + 1 }))
  const needle = query.trim().toLowerCase()
  if (needle === '' && filter === 'all') return numbered
  return numbered.flatMap(({ turn, number }) => {
    const entries = turn.entries.filter(
      (entry) =>
        (filter === 'all' || isFailed(entry)) &&
        (needle === '' || textOf(entry).toLowerCase().includes(needle)),
    )
    return entries.length === 0 ? [] : [{ turn: { entries }, number }]
  })
}

export function countEntries(turns: readonly NumberedTurn[]): number {
  return turns.reduce((sum, { turn }) => sum + turn.entries.length, 0)
}

/** A command that exits with another code than 0 has failed, too. */
function isFailed(entry: EntryFacts): boolean {
  return entry.type === 'tool' && (entry.ok === false || entry.exit !== undefined)
}

function textOf(entry: EntryFacts): string {
  switch (entry.type) {
    case 'prompt':
    case 'thinking':
      return entry.text
    case 'answer':
      return JSON.stringify(entry.blocks)
    case 'tool':
      return `${entry.name} ${entry.title} ${entry.input.text} ${entry.result?.text ?? ''}`
    case 'undo':
    case 'redo':
      return entry.files.join(' ')
    case 'interrupted':
      return 'interrupted'
  }
}
