// The question before a tool call runs, as text for a terminal, and the answer that the user types.
import { objectOf } from '@zee/agent/permissions'
import { unifiedDiff } from '@zee/agent/undo'
import { withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { ToolCallPart } from '@zee/llm'
import { cutToCharacters } from '../text/text.ts'

export interface Question {
  call: ToolCallPart
  /** What "always" allows for the rest of the session. */
  rule: string
}

export type Answer =
  | 'yes'
  | 'no'
  | 'always'
  /** Goes to the model in place of the result. */
  | { reason: string }

/** Asks the user; undefined if the user interrupted instead of answering. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer | undefined>

const maxDiffLines = 40
const maxColumns = 200

/** Tool, object and, for edits, the diff; then the choices. */
export function questionText({ call, rule }: Question): string {
  const lines = [`${oneLine(call.name)} ${shownObject(call)}`, ...diffLines(call)]
  const shown = lines.map((line) => cutToCharacters(withoutControls(line), maxColumns).text)
  const always = cutToCharacters(oneLine(withoutControls(rule)), maxColumns).text
  return `${shown.join('\n')}\nAllow? y, n, a (always ${always}), or a reason for the model\n`
}

/** A command may have several lines; a path with line breaks must not look like more of the question. */
function shownObject(call: ToolCallPart): string {
  const object = objectOf(call)
  return typeof call.input.command === 'string' ? object : oneLine(object)
}

function diffLines({ name, input }: ToolCallPart): string[] {
  const [before, after] =
    name === 'edit' ? [input.old, input.new] : name === 'write' ? [null, input.content] : []
  if (typeof after !== 'string' || (typeof before !== 'string' && before !== null)) return []
  const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
  const diff = unifiedDiff(
    String(input.path),
    before === null ? null : withEnd(before),
    withEnd(after),
  )
  // The first two lines repeat the path.
  const lines = diff.trimEnd().split('\n').slice(2)
  const hidden = lines.length - maxDiffLines
  return hidden > 0 ? [...lines.slice(0, maxDiffLines), `… ${hidden} more lines`] : lines
}

/** `y`, `n` or `a`; anything else is a reason. An empty line asks again. */
export function parseAnswer(line: string): Answer | undefined {
  const text = line.trim()
  const word = text.toLowerCase()
  if (word === '') return undefined
  if (word === 'y' || word === 'yes') return 'yes'
  if (word === 'n' || word === 'no') return 'no'
  if (word === 'a' || word === 'always') return 'always'
  return { reason: text }
}
