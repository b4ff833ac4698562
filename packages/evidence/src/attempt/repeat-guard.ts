// Notices an agent that is stuck: the same failing call over and over. Loads Node built-ins only,
// and the reader of the trace not before the last call is known to have failed.
import path from 'node:path'
import { readLastLine } from '@zee/core/journal'
import { artifactName } from '../layout/layout.ts'

export interface GuardedCall {
  tool: string
  op: string
  /** Canonical, as it is stored. */
  input: string
}

/** How many calls at the end of the trace are this very call and failed. */
export async function failingStreak(folder: string, call: GuardedCall): Promise<number> {
  const file = path.join(folder, artifactName.trace)
  const last = readLastLine(file)
  const text = last?.toString('latin1')
  if (last === undefined || text === undefined || !text.includes('"ok":')) return 0
  // A call that worked is no repetition, whatever else its line says.
  if (text.includes('"result":{"ok":true,')) return 0
  const { streakAtEnd } = await import('./failing-streak.ts')
  return streakAtEnd(file, last, call)
}
