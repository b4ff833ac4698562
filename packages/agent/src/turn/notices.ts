// Texts of a turn for the user, without secrets.
import type { AgentEvent } from './events.ts'
import type { Turn } from './options.ts'

export async function hidden({ secrets }: Pick<Turn, 'secrets'>, text: string): Promise<string> {
  return secrets === undefined ? text : secrets.hide(text)
}

/**
 * A secret in an answer needs a long word with a digit, a name such as `password` or a form such as
 * `//user:password@`. Other answers do not load the rules. One pattern for all took 0.6 s for 10 MB.
 */
function mayHoldSecret(text: string): boolean {
  return (
    (/\d/.test(text) && longWordWithDigit.test(text)) ||
    secretName.test(text) ||
    secretForm.test(text)
  )
}

const longWordWithDigit = /(?<![\w+/.-])(?=[\w+/.-]*\d)[\w+/.-]{16}/
const secretName = /(?:pass|pwd|secret|token|key|auth|cookie|credential|login)\w*["']?\s*[=: ]/i
const secretForm = /:\/\/[^\s/]*@|-----BEGIN|⟦secret:/i

/** The answer as the session and later requests contain it. */
export async function withoutSecrets<Text extends { text: string }>(
  turn: Pick<Turn, 'secrets'>,
  answer: Text,
): Promise<Text> {
  if (!mayHoldSecret(answer.text)) return answer
  return { ...answer, text: await hidden(turn, answer.text) }
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
