// Terminal colours and terminal-safe text: colour on a terminal only, unless NO_COLOR or FORCE_COLOR
// says otherwise.
import { escapeHidden } from '../errors/errors.ts'

export interface Colours {
  bold: Paint
  dim: Paint
  italic: Paint
  underline: Paint
  red: Paint
  green: Paint
  yellow: Paint
  blue: Paint
  magenta: Paint
  cyan: Paint
}

export type Paint = (text: string) => string

type Environment = Readonly<Record<string, string | undefined>>

/** Whether text for this stream may have colour. */
export function wantsColour(stream: { isTTY?: boolean }, env: Environment): boolean {
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** Colour functions for a stream; without colour they return their text unchanged. */
export function coloursFor(stream: { isTTY?: boolean }, env: Environment): Colours {
  const paint = wantsColour(stream, env) ? escaped : plain
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    italic: paint(3, 23),
    underline: paint(4, 24),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  }
}

/**
 * Makes external text safe for a terminal: removes control characters except tab and newline, and
 * escapes characters that reorder or hide text.
 */
export function withoutControls(text: string): string {
  return escapeHidden(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ''))
}

/** A filter for external text: applies `withoutControls` if the stream is a terminal. */
export function terminalSafeText(stream: { isTTY?: boolean }): (text: string) => string {
  return stream.isTTY === true ? withoutControls : (text) => text
}

function escaped(open: number, close: number): Paint {
  return (text) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`)
}

function plain(): Paint {
  return (text) => text
}
