// The source of a chat's lines: an editor on a terminal, otherwise the pipe.
import type { TurnEnd } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import { maxPromptBytes, promptTooLong } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'

export interface LineSource {
  /** Shows the prompt and waits for a line; undefined at the end of input. */
  next(): Promise<string | undefined>
  /** Called around a turn: a terminal queues lines that are typed during it. */
  startTurn(): void
  endTurn(end: TurnEnd): void
  /** Queued lines to send with the next request of the turn. */
  takeQueued(): string[]
  /** Asks a question during a turn; undefined if the signal fires. Terminals only. */
  ask?(prompt: string, signal: AbortSignal): Promise<string | undefined>
  /** Gives the terminal to `work`. Terminals only. */
  lend?<T>(work: () => Promise<T>): Promise<T>
  /** The text in the editor. Terminals only. */
  text?(): string
  setText?(text: string): void
  close(): void
}

export const promptText = 'you> '

/** Reads a line only when the previous turn is over; the rest waits in the pipe. */
export function openPipedLines(host: Host, interrupts: Interrupts): LineSource {
  const lines = splitLines(host.stdin)
  return {
    next: async () => {
      host.stderr.write(promptText)
      const { signal } = interrupts
      if (signal.aborted) return undefined
      const line = await unlessAborted(lines.next(), signal)
      return line === undefined || line.done === true ? undefined : line.value
    },
    startTurn: () => {},
    endTurn: () => {},
    takeQueued: () => [],
    close: () => void host.stdin.destroy(),
  }
}

/** Undefined if the signal fires first. Removes its listener, because one signal serves many lines. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let leave = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined)
  })
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Splits at `\n` alone: a prompt may hold any other character, including `\r`. */
async function* splitLines(stdin: NodeJS.ReadableStream): AsyncGenerator<string> {
  const ready: string[] = []
  const splitter = new LineSplitter(maxPromptBytes, {
    line: (bytes, start, end) => ready.push(bytes.toString('utf8', start, end)) > 0,
    tooLong: () => {
      throw promptTooLong()
    },
  })
  for await (const chunk of stdin) {
    splitter.push(Buffer.from(chunk))
    yield* ready.splice(0)
  }
  splitter.end()
  yield* ready
}
