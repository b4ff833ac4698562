// What an edit or a write changed, in a few coloured lines for a terminal.
import type { AgentEvent } from '@zee/agent'
import { commonEnds } from '@zee/agent'
import type { Colours } from '@zee/core/colour'
import { withoutControls } from '@zee/core/colour'
import { cutCharacters } from '../text/text.ts'

type Requested = Extract<AgentEvent, { type: 'tool_requested' }>

const shownLines = 8
const shownColumns = 160

/** Empty when the call changes no file. */
export function changePreview({ name, input }: Requested, paint: Colours): string {
  if (name === 'edit' && typeof input.old === 'string' && typeof input.new === 'string') {
    const [removed, added] = differing(input.old.split('\n'), input.new.split('\n'))
    return title(input, paint) + lines('-', removed, paint.red) + lines('+', added, paint.green)
  }
  if (name === 'write' && typeof input.content === 'string') {
    const added = input.content.replace(/\n$/, '').split('\n')
    return title(input, paint) + lines('+', input.content === '' ? [] : added, paint.green)
  }
  return ''
}

function title(input: Requested['input'], paint: Colours): string {
  return `  ${paint.bold(withoutControls(String(input.path)))}\n`
}

/** The lines between what both begin and end with. */
function differing(old: readonly string[], next: readonly string[]): [string[], string[]] {
  const { start, end } = commonEnds(old, next)
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}

function lines(mark: string, texts: readonly string[], paint: (text: string) => string): string {
  const shown = texts.slice(0, shownLines).map((text) => {
    const cut = cutCharacters(withoutControls(text), shownColumns)
    return `  ${paint(`${mark} ${cut.text}${cut.truncated ? '…' : ''}`)}\n`
  })
  const rest = texts.length - shown.length
  return shown.join('') + (rest > 0 ? `  ${mark} … ${rest} more lines\n` : '')
}
