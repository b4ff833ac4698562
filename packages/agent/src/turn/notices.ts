// Texts of a turn for the user, without secrets.
import type { AgentEvent } from './events.ts'
import type { Turn } from './options.ts'

export async function hidden({ secrets }: Pick<Turn, 'secrets'>, text: string): Promise<string> {
  return secrets === undefined ? text : secrets.hide(text)
}

export async function* noticesOf(
  turn: Turn,
  texts: readonly string[],
): AsyncGenerator<AgentEvent, void, undefined> {
  for (const text of texts) yield { type: 'notice', text: await hidden(turn, text) }
}

export function* undoNotices({ shellUndo }: Turn): Generator<AgentEvent> {
  for (const text of shellUndo?.takeNotices() ?? []) yield { type: 'notice', text }
}
