// Writes the answer to stdout as plain bytes, for a pipe or a file.
import { terminalSafeText } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'

export interface AnswerOutput {
  write(text: string): Promise<void>
  /** Starts a new line unless the cursor is at the start of one. */
  endLine(): Promise<void>
  isAtLineStart(): boolean
}

export function openPlainAnswer(host: Host, interrupted?: AbortSignal): AnswerOutput {
  const write = streamWriter(host.stdout, interrupted)
  const harmless = terminalSafeText(host.stdout)
  let isAtLineStart = true
  const output: AnswerOutput = {
    write: (text) => {
      if (text !== '') isAtLineStart = text.endsWith('\n')
      return write(harmless(text))
    },
    endLine: async () => {
      if (!isAtLineStart) await output.write('\n')
    },
    isAtLineStart: () => isAtLineStart,
  }
  return output
}
