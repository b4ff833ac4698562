// Detects an agent that repeats the same failing call. Loads Node built-ins only; the trace reader
// is loaded only if the last call failed.
import path from 'node:path'
import { readLastLine } from '@zee/core/journal'
import { artifactName } from '../layout/layout.ts'

export interface GuardedCall {
  tool: string
  op: string
  /** Canonical JSON, as stored in the trace. */
  input: string
}

/** Number of consecutive failures of this call at the end of the trace. */
export async function failingStreak(folder: string, call: GuardedCall): Promise<number> {
  const file = path.join(folder, artifactName.trace)
  const last = readLastLine(file)
  const text = last?.toString('latin1')
  if (last === undefined || text === undefined || !text.includes('"ok":')) return 0
  // Fast path: the last call succeeded. A line of another writer takes the slow path.
  if (text.includes('"result":{"ok":true,')) return 0
  const { streakAtEnd } = await import('./failing-streak.ts')
  return streakAtEnd(file, last, call)
}
