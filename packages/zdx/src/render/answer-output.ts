// Where the answer goes: plain bytes to a pipe or a file; on a terminal every finished line is
// replaced by its styled form, while the current line stands there as it arrived.
import type { Host } from '@zee/core/exit'
import { coloursFor, terminalSafeText, wantsColour, withoutControls } from '@zee/core/colour'
import { displayWidth } from './display-width.ts'
import { streamWriter } from '@zee/core/lossless'
import type { MarkdownState, styleLine as styleMarkdownLine } from './markdown-line.ts'

export interface AnswerOutput {
  write(text: string): Promise<void>
  /** Begins a new line unless the cursor is at the start of one. */
  endLine(): Promise<void>
  /** Whether something else may be shown without breaking into a line. */
  atLineStart(): boolean
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
  let atLineStart = true
  const output: AnswerOutput = {
    write: (text) => {
      if (text !== '') atLineStart = text.endsWith('\n')
      return write(text)
    },
    endLine: async () => {
      if (!atLineStart) await output.write('\n')
    },
    atLineStart: () => atLineStart,
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
  const finish = (): string => {
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
        shown += finish() + piece
        current = piece
      }
      return write(shown)
    },
    endLine: async () => {
      if (current !== '') await write(finish())
    },
    atLineStart: () => current === '',
  }
  return output
}

/**
 * Back to where the line began, over as many rows as it takes, and everything behind it gone.
 * Undefined when its beginning has left the screen: then it stays as it is.
 */
function eraseLine(line: string, host: Host): string | undefined {
  const columns = Math.max(1, host.stdout.columns || 80)
  const rows = Math.max(1, Math.ceil(displayWidth(line) / columns))
  if (rows >= (host.stdout.rows || 24)) return undefined
  return `${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[J`
}
