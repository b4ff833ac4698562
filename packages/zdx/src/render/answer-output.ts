// Writes the answer to stdout: plain bytes to a pipe or a file. On a terminal each finished line is
// redrawn in its styled form; the current line is shown as it arrives.
import type { Host } from '@zee/core/exit'
import { coloursFor, terminalSafeText, wantsColour, withoutControls } from '@zee/core/colour'
import { displayWidth } from './display-width.ts'
import { streamWriter } from '@zee/core/lossless'
import type { MarkdownState, styleLine as styleMarkdownLine } from './markdown-line.ts'

export interface AnswerOutput {
  write(text: string): Promise<void>
  /** Starts a new line unless the cursor is at the start of one. */
  endLine(): Promise<void>
  isAtLineStart(): boolean
}

export async function openAnswerOutput(host: Host): Promise<AnswerOutput> {
  const write = streamWriter(host.stdout)
  if (host.stdout.isTTY !== true || !wantsColour(host.stdout, host.env)) {
    const harmless = terminalSafeText(host.stdout)
    return plainOutput((text) => write(harmless(text)))
  }
  const { styleLine } = await import('./markdown-line.ts')
  return styledOutput(host, write, styleLine)
}

function plainOutput(write: (text: string) => Promise<void>): AnswerOutput {
  let isAtLineStart = true
  const output: AnswerOutput = {
    write: (text) => {
      if (text !== '') isAtLineStart = text.endsWith('\n')
      return write(text)
    },
    endLine: async () => {
      if (!isAtLineStart) await output.write('\n')
    },
    isAtLineStart: () => isAtLineStart,
  }
  return output
}

type StyleLine = typeof styleMarkdownLine

function styledOutput(
  host: Host,
  write: (text: string) => Promise<void>,
  styleLine: StyleLine,
): AnswerOutput {
  const paint = coloursFor(host.stdout, host.env)
  const state: MarkdownState = { fence: undefined }
  let current = ''
  const endCurrentLine = (): string => {
    const styled = styleLine(current, state, paint)
    const erased = styled === current ? undefined : eraseLine(current, host)
    current = ''
    return erased === undefined ? '\n' : `${erased}${styled}\n`
  }
  const output: AnswerOutput = {
    write: (text) => {
      let shown = ''
      const [first = '', ...rest] = withoutControls(text).split('\n')
      current += first
      shown += first
      for (const piece of rest) {
        shown += endCurrentLine() + piece
        current = piece
      }
      return write(shown)
    },
    endLine: async () => {
      if (current !== '') await write(endCurrentLine())
    },
    isAtLineStart: () => current === '',
  }
  return output
}

/**
 * The escape codes that move to the start of the line, over its wrapped rows, and clear to the end of
 * the screen. Undefined if the start has scrolled off the screen.
 */
function eraseLine(line: string, host: Host): string | undefined {
  const columns = Math.max(1, host.stdout.columns || 80)
  const rows = Math.max(1, Math.ceil(displayWidth(line) / columns))
  if (rows >= (host.stdout.rows || 24)) return undefined
  return `${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[J`
}
