// Shell commands as text: their parts, and what each part may run.
export type { Redirection, ShellPart, SimpleCommand } from './parse.ts'
export { parseShell } from './parse.ts'
export {
  changesFolder,
  commandText,
  deniableTexts,
  isCommandKnown,
  nestedParts,
} from './commands.ts'
