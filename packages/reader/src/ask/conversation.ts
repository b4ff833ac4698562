// The messages of one reading model. The text of old tool results is dropped when the conversation would exceed the
// window of the model; the numbers of the slices stay, so that they can be cited and read again.
import type { Message, Part, ToolCallPart } from '@zee/llm'
import type { ModelAnswer } from '../model/model.ts'
import { messagesChars } from '../model/model.ts'

const keptChars = 400

export class Conversation {
  #messages: Message[] = []
  readonly #windowChars: number

  constructor(windowChars: number) {
    this.#windowChars = windowChars
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** Adds to the last message if it is the user's: some providers want the roles to alternate. */
  addUser(text: string): void {
    const part: Part = { type: 'text', text }
    const last = this.#messages.at(-1)
    if (last?.role !== 'user') this.#push('user', [part])
    else this.#messages[this.#messages.length - 1] = { ...last, parts: [...last.parts, part] }
  }

  addAnswer({ text, calls }: ModelAnswer): void {
    const parts: Part[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls]
    if (parts.length > 0) this.#push('assistant', parts)
  }

  addResults(results: readonly { call: ToolCallPart; text: string; isError: boolean }[]): void {
    const parts = results.map(({ call, text, isError }) => {
      return { type: 'tool_result' as const, id: call.id, content: text, isError }
    })
    this.#push('user', parts)
    this.#shrink()
  }

  #push(role: Message['role'], parts: Part[]): void {
    this.#messages.push({ role, parts })
  }

  /** Drops the text of the oldest results until the conversation fits. */
  #shrink(): void {
    let size = messagesChars(this.#messages)
    for (let index = 0; index < this.#messages.length && size > this.#windowChars; index++) {
      const message = this.#messages[index] as Message
      const parts = message.parts.map((part): Part => {
        const isLong = part.type === 'tool_result' && part.content.length > keptChars
        return isLong ? { ...part, content: numbersOnly(part.content) } : part
      })
      const shorter = { ...message, parts }
      size -= messagesChars([message]) - messagesChars([shorter])
      this.#messages[index] = shorter
    }
  }
}

/** `[E3] src/a.ts:10-40` for each slice. */
function numbersOnly(text: string): string {
  const numbers = text.match(/^\[E\d+\] [^\n]{0,200}/gm) ?? []
  const shown = numbers.slice(0, 20).join('\n')
  return `[text dropped to save space; read again if needed]\n${shown}`.slice(0, keptChars * 4)
}
