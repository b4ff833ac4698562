// The text of `:help`: names and what they do, in two columns.
import { wrapStyled } from '@zee/core/styled-text'
import { chatCommands } from './commands.ts'

/** Columns that the summaries need beside the names. */
const minSummaryColumns = 40

/** On a narrow terminal, the summary of a longer name stands below it. */
const narrowNameColumns = 14

/** Help beyond the commands. */
const furtherHelp: readonly (readonly [string, string])[] = [
  ['!command', 'run a shell command with this terminal; !!command also shows it to the model'],
  ['@path', 'attach a file, an image or the listing of a folder (Tab completes)'],
  ['::text', 'send a line that begins with a colon'],
  ['Alt+Enter', 'add a line (also a backslash at the end)'],
  ['Ctrl+R', 'search the history'],
  ['Ctrl+C', 'stop the turn; at an empty prompt, or twice, quit'],
]

/** Without `columns` the output is not a terminal, and every summary is one line beside its name. */
export function helpText(columns: number | undefined): string {
  const commands = [...chatCommands.values()].map(({ usage, summary }) => [usage, summary] as const)
  const entries = [...commands, ...furtherHelp]
  const width = Math.max(...entries.map(([name]) => name.length))
  const isNarrow = columns !== undefined && columns < width + 4 + minSummaryColumns
  const indent = ' '.repeat((isNarrow ? narrowNameColumns : width) + 4)
  return entries
    .flatMap(([name, text]) => {
      const first = `  ${name}`.padEnd(indent.length)
      const rest = { first: indent, rest: indent }
      if (columns === undefined) return [`${first}${text}`]
      return first.length > indent.length
        ? [first, ...wrapStyled(text, columns, rest)]
        : wrapStyled(text, columns, { first, rest: indent })
    })
    .map((line) => `${line}\n`)
    .join('')
}
