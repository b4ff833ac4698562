// Divides turns into blocks of a few entries. The transcript renders the blocks near the window.
import type { EntryFacts, Usage } from '../data/data.ts'
import type { PlacedEntry, ShownTurn } from './filter.ts'

export interface Block {
  /** The number of the turn, from 1. */
  turn: number
  entries: PlacedEntry[]
  isFirst: boolean
  isLast: boolean
  /** Of the turn, on its last block. */
  usage?: Usage | undefined
}

const entriesPerBlock = 10

export function turnBlocks(turns: readonly ShownTurn[]): Block[] {
  return turns.flatMap(({ number, entries, usage }) => {
    const count = Math.max(1, Math.ceil(entries.length / entriesPerBlock))
    return Array.from({ length: count }, (_, at) => ({
      turn: number,
      entries: entries.slice(at * entriesPerBlock, (at + 1) * entriesPerBlock),
      isFirst: at === 0,
      isLast: at === count - 1,
      usage: at === count - 1 ? usage : undefined,
    }))
  })
}

/** Pixels at a width of 780. */
export function estimateHeight({ entries, isFirst, isLast, usage }: Block): number {
  const frame = (isFirst ? 29 : 0) + (isLast ? 28 : 0) + (usage === undefined ? 0 : 30)
  return entries.reduce((sum, { entry }) => sum + estimateEntry(entry), frame)
}

function estimateEntry(entry: EntryFacts): number {
  switch (entry.type) {
    case 'tool':
    case 'thinking':
      return 42
    case 'prompt':
      return 65 + 22 * Math.ceil(entry.text.length / 100)
    case 'answer':
      return 24 + 40 * entry.blocks.length
    case 'interrupted':
    case 'undo':
    case 'redo':
      return 22
  }
}
