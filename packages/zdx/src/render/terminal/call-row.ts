// One row of the terminal for a tool call. The object is shortened so that the outcome and the duration
// always fit.
import { displayWidth } from '@zee/core/styled-text'
import { fitRow } from '../../terminal/terminal.ts'

export interface CallRow {
  mark: string
  name: string
  target: string
  outcome: string
  duration: string
  columns: number
  /** Columns of the object that are always shown, even if the row then needs a second line. */
  minTargetWidth?: number
}

const defaultMinTarget = 8

export function formatCallRow(row: CallRow): string {
  const { mark, name, target, outcome, duration, columns } = row
  const minTargetWidth = row.minTargetWidth ?? defaultMinTarget
  const end = `${outcome === '' ? '' : `  ${outcome}`}  ${duration}`
  const room = columns - 1 - (3 + displayWidth(name) + displayWidth(end))
  const shown = target === '' ? '' : ` ${fitRow(target, Math.max(minTargetWidth, room))}`
  return `${mark} ${name}${shown}${end}`
}
