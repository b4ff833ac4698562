// One row of the terminal for a tool call. The detail of the outcome is left out, then the object is
// shortened, so that the outcome and the duration fit.
import { displayWidth } from '@zee/core/styled-text'
import { fitRow } from '../../terminal/terminal.ts'

export interface CallRow {
  mark: string
  name: string
  target: string
  /** `exit 3`, or with a detail: `old_not_found (nearest: line 3)`. */
  outcome: string
  duration: string
  columns: number
  /** Columns of the object that are always shown, even if the row then needs a second line. */
  minTargetWidth?: number
}

const defaultMinTarget = 8

export function formatCallRow(row: CallRow): string {
  const { mark, name, target, outcome, duration, columns } = row
  const leastWidth = Math.min(displayWidth(target), row.minTargetWidth ?? defaultMinTarget)
  const endOf = (text: string): string => `${text === '' ? '' : `  ${text}`}  ${duration}`
  const roomBefore = (end: string): number =>
    columns - 1 - (3 + displayWidth(name) + displayWidth(end))
  const whole = endOf(outcome)
  const end = roomBefore(whole) >= leastWidth ? whole : endOf(outcome.replace(/(\S) \(.*\)$/, '$1'))
  const width = Math.max(leastWidth, roomBefore(end))
  return `${mark} ${name}${target === '' ? '' : ` ${fitRow(target, width)}`}${end}`
}
