// Where in a screenplay a request stands. Assistant turns of its history say how many responses
// were used, so that another process continues a session at the right place.
import { messageText, type Message } from '../request/request.ts'
import { fillText, lastUserText } from './quote.ts'
import type { Item, Response, Screenplay } from './screenplay.ts'

interface Position {
  /** Assistant turns of the history. */
  turns: number
  /** The response to play; undefined when the screenplay is over. */
  response: Response | undefined
}

/** `wasPlayed`: responses that leave no assistant turn, so that only this process knows of them. */
export function findPosition(
  play: Screenplay,
  messages: readonly Message[],
  wasPlayed: (turns: number, response: Response) => boolean,
): Position {
  const next = createWalker(play)
  let turns = 0
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || message.parts.length === 0) continue
    turns++
    skipTurn(next, message, messages.slice(0, index))
  }
  const user = lastUserText(messages)
  let response = next(user)
  while (response !== undefined && !leavesTurn(response) && wasPlayed(turns, response)) {
    response = next(user)
  }
  return { turns, response }
}

/** Whether the history shows afterwards that this response was given. */
export function leavesTurn({ steps, outcome }: Response): boolean {
  if (outcome.type !== 'end') return false
  return steps.some((step) => {
    if (step.type === 'tool') return outcome.stop !== 'max_tokens'
    return step.type === 'text' && step.text !== ''
  })
}

type Next = (userText: string) => Response | undefined

function createWalker(play: Screenplay): Next {
  const stack: { items: Item[]; index: number }[] = [{ items: play.items, index: 0 }]
  return (userText) => {
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const item = frame.items[frame.index++]
      if (item === undefined) stack.pop()
      else if (item.type === 'response') return item
      else {
        const branch = item.branches.find(({ pattern }) => pattern.test(userText))
        if (branch !== undefined) stack.push({ items: branch.items, index: 0 })
      }
    }
    return undefined
  }
}

/** Uses up what led to one assistant turn: failures before it, then the response itself. */
function skipTurn(next: Next, turn: Message, before: readonly Message[]): void {
  const user = lastUserText(before)
  for (let response = next(user); response !== undefined; response = next(user)) {
    if (leavesTurn(response) || isPartialTextOf(response, turn, before)) return
  }
}

/** Text of a response that was cut may have been kept as a turn. */
function isPartialTextOf(response: Response, turn: Message, before: readonly Message[]): boolean {
  const kept = messageText(turn)
  if (kept === '' || turn.parts.some((part) => part.type === 'tool_call')) return false
  const text = response.steps.map((step) => (step.type === 'text' ? step.text : '')).join('')
  try {
    return text !== '' && fillText(text, { messages: before }).startsWith(kept)
  } catch {
    return false
  }
}
