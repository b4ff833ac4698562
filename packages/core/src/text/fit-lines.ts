// Fits lines for people into a terminal.
import { displayWidth } from './display-width.ts'
import { styledWidth, wrapStyled } from './styled-text.ts'

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>

/**
 * On a terminal, a long line continues at the next word, indented by two columns more than it starts.
 * A pipe gets the lines as they are. So does a line with a word that is longer than the terminal is wide:
 * only the terminal's own wrapping lets people copy it.
 */
export function fitLines(lines: readonly string[], stream: Stream): string[] {
  if (!stream.isTTY) return [...lines]
  const width = stream.columns || 80
  return lines.flatMap((line) => {
    if (styledWidth(line) <= width) return [line]
    const start = /^ */.exec(line)?.[0] ?? ''
    const rest = `${start}  `
    const isLong = line.split(' ').some((word) => displayWidth(word) > width - rest.length)
    return isLong ? [line] : wrapStyled(line.trimStart(), width, { first: start, rest })
  })
}
