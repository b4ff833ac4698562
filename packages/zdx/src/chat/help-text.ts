// The text of `:help`: names and what they do, in two columns where the terminal is wide enough.
import { chatCommands } from './commands.ts'

/** Columns that the summaries need beside the names. */
const minSummaryColumns = 40

/** Help beyond the commands. */
const furtherHelp: readonly (readonly [string, string])[] = [
  ['!command', 'run a shell command with this terminal; !!command also shows it to the model'],
  ['@path', 'attach a file, an image or the listing of a folder (Tab completes)'],
  ['::text', 'send a line that begins with a colon'],
  ['Alt+Enter', 'add a line (also a backslash at the end)'],
  ['Ctrl+R', 'search the history'],
  ['Ctrl+C', 'stop the turn; at an empty prompt, or twice, quit'],
]

/** Without `columns` the output is not a terminal and has two columns. */
export function helpText(columns: number | undefined): string {
  const commands = [...chatCommands.values()].map(({ usage, summary }) => [usage, summary] as const)
  const width = Math.max(...commands.map(([usage]) => usage.length))
  const isNarrow = columns !== undefined && columns < width + 4 + minSummaryColumns
  return [...commands, ...furtherHelp]
    .map(([name, text]) =>
      isNarrow ? `  ${name}\n    ${text}\n` : `  ${name.padEnd(width)}  ${text}\n`,
    )
    .join('')
}
