// Wraps lines of text at spaces for a terminal that is narrower than they are.
import { displayWidth, wrapStyled } from '@zee/core/styled-text'

/** `text` for a stream: on a terminal wrapped at spaces, below the start of each line. */
export function wrapLines(stream: { isTTY?: boolean; columns?: number }, text: string): string {
  if (stream.isTTY !== true) return text
  const width = Math.max(20, stream.columns || 80) - 1
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n')
}

/** The terminal itself breaks a path or an address that is longer than a row, so that it can be copied. */
function wrapLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const rest = `${indent}  `
  const room = width - rest.length
  const hasLongWord = line.split(' ').some((word) => displayWidth(word) > room)
  return hasLongWord ? [line] : wrapStyled(line, width, { first: '', rest })
}
