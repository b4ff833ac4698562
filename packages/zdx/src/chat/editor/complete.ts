// Tab completes `:commands`, `@paths`, and session ids after `:resume`.
import { completePath } from './complete-path.ts'

export interface CompletionSources {
  root: string
  /** Names of chat commands without the colon. */
  commandNames: () => readonly string[]
  sessionIds: () => readonly string[]
}

/** The candidates, and the typed word that they replace. */
export function complete(sources: CompletionSources, line: string): [string[], string] {
  const command = /^([:/])([\w-]*)$/.exec(line)
  if (command !== null) {
    const [word, sign = ':', typed = ''] = command
    const names = sources.commandNames().filter((name) => name.startsWith(typed))
    return [names.map((name) => `${sign}${name}`), word]
  }
  const session = /^[:/]resume\s+(\S*)$/.exec(line)?.[1]
  if (session !== undefined) {
    return [sources.sessionIds().filter((id) => id.startsWith(session)), session]
  }
  return completePath(sources.root, line)
}

/** The longest common start of the candidates. */
export function commonStart(candidates: readonly string[]): string {
  const [first = '', ...rest] = candidates
  let length = first.length
  for (const candidate of rest) {
    while (!candidate.startsWith(first.slice(0, length))) length -= 1
  }
  return first.slice(0, length)
}
