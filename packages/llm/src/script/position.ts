// Finds the next response of a screenplay for a request. The assistant turns of the history count
// the consumed responses, so that another process can continue a session.
import { messageText, type Message } from '../request/request.ts'
import { fillText, lastUserText } from './quote.ts'
import type { Item, Response, Screenplay } from './screenplay.ts'

interface Position {
  /** Number of assistant turns in the history. */
  turns: number
  /** Undefined if the screenplay has no response left. */
  response: Response | undefined
}

/** `wasPlayed` reports responses without an assistant turn, which only this process remembers. */
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

/** Whether playing the response adds an assistant turn to the history. */
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

/** Consumes the responses of one assistant turn: failures, then the response itself. */
function skipTurn(next: Next, turn: Message, before: readonly Message[]): void {
  const user = lastUserText(before)
  for (let response = next(user); response !== undefined; response = next(user)) {
    if (leavesTurn(response) || isPartialTextOf(response, turn, before)) return
  }
}

/** The text of a cut response may have been stored as a turn. */
function isPartialTextOf(response: Response, turn: Message, before: readonly Message[]): boolean {
  const stored = messageText(turn)
  if (stored === '' || turn.parts.some((part) => part.type === 'tool_call')) return false
  const text = response.steps.map((step) => (step.type === 'text' ? step.text : '')).join('')
  try {
    return text !== '' && fillText(text, { messages: before }).startsWith(stored)
  } catch {
    return false
  }
}
