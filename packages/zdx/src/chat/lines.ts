// The source of a chat's lines: a line editor on a terminal, otherwise the pipe.
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { maxPromptBytes, promptTooLong } from '../conversation/conversation.ts'

export interface LineSource {
  /** Shows the prompt and waits for a line; undefined at the end of input. */
  next(): Promise<string | undefined>
  close(): void
}

export const promptText = 'you> '

export async function openLines(
  host: Host,
  { settings, info }: Conversation,
  interrupts: Interrupts,
): Promise<LineSource> {
  if (host.stdin.isTTY === true && host.stderr.isTTY === true) {
    const { openTerminalLines } = await import('./terminal-lines.ts')
    return openTerminalLines(host, { base: settings.base, root: info.root }, interrupts)
  }
  return openPipedLines(host, interrupts)
}

/** Reads a line only when the previous turn is over; the rest waits in the pipe. */
function openPipedLines(host: Host, interrupts: Interrupts): LineSource {
  const lines = splitLines(host.stdin)
  return {
    next: async () => {
      host.stderr.write(promptText)
      const { signal } = interrupts
      if (signal.aborted) return undefined
      const line = await unlessAborted(lines.next(), signal)
      return line === undefined || line.done === true ? undefined : line.value
    },
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
