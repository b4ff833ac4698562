// A short coloured preview of an `edit` or `write` call for the terminal.
import type { AgentEvent } from '@zee/agent'
import { commonEnds } from '@zee/agent'
import type { Colours } from '@zee/core/colour'
import { withoutControls } from '@zee/core/colour'
import { cutToCharacters } from '../text/text.ts'

type Requested = Extract<AgentEvent, { type: 'tool_requested' }>

const maxLines = 8
const maxColumns = 160

/** Empty if the call changes no file. */
export function changePreview({ name, input }: Requested, paint: Colours): string {
  if (name === 'edit' && typeof input.old === 'string' && typeof input.new === 'string') {
    const [removed, added] = changedLines(input.old.split('\n'), input.new.split('\n'))
    return (
      titleLine(input, paint) +
      previewLines('-', removed, paint.red) +
      previewLines('+', added, paint.green)
    )
  }
  if (name === 'write' && typeof input.content === 'string') {
    const added = input.content.replace(/\n$/, '').split('\n')
    return (
      titleLine(input, paint) + previewLines('+', input.content === '' ? [] : added, paint.green)
    )
  }
  return ''
}

function titleLine(input: Requested['input'], paint: Colours): string {
  return `  ${paint.bold(withoutControls(String(input.path)))}\n`
}

/** The old and new lines between the common start and the common end. */
function changedLines(old: readonly string[], next: readonly string[]): [string[], string[]] {
  const { start, end } = commonEnds(old, next)
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}

function previewLines(
  mark: string,
  texts: readonly string[],
  paint: (text: string) => string,
): string {
  const shown = texts.slice(0, maxLines).map((text) => {
    const cut = cutToCharacters(withoutControls(text), maxColumns)
    return `  ${paint(`${mark} ${cut.text}${cut.truncated ? '…' : ''}`)}\n`
  })
  const hidden = texts.length - shown.length
  return shown.join('') + (hidden > 0 ? `  ${mark} … ${hidden} more lines\n` : '')
}
