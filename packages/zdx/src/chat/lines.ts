// Where a chat's lines come from: an editor on a terminal, or the pipe line by line.
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { mostPromptBytes, promptTooLong } from '../conversation/conversation.ts'

export interface LineSource {
  /** Shows the prompt and waits for a line; undefined at the end of input. */
  next(): Promise<string | undefined>
  close(): void
}

export const promptText = 'you> '

export async function openLines(
  host: Host,
  { settings, opening }: Conversation,
  interrupts: Interrupts,
): Promise<LineSource> {
  if (host.stdin.isTTY === true && host.stderr.isTTY === true) {
    const { openTerminalLines } = await import('./terminal-lines.ts')
    return openTerminalLines(host, { base: settings.base, root: opening.root }, interrupts)
  }
  return openPipedLines(host, interrupts)
}

/** Lines wait in the pipe until the turn before them is over. */
function openPipedLines(host: Host, interrupts: Interrupts): LineSource {
  const lines = linesIn(host.stdin)
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

/** Undefined when the signal comes first. One signal outlives many lines, so nothing stays on it. */
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

/** A line ends with a newline and nothing else: other characters may be part of a prompt. */
async function* linesIn(stdin: NodeJS.ReadableStream): AsyncGenerator<string> {
  const ready: string[] = []
  const splitter = new LineSplitter(mostPromptBytes, {
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
