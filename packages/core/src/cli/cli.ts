// The front door of the command line: a tree of commands in, one call out.
// Completions and the parser load only when they are needed.

export type {
  ArgumentSpec,
  Call,
  Command,
  Example,
  OptionSpec,
  OptionTable,
  OptionValues,
  Program,
} from './tree.ts'
export { commandFor, program, wholeNumber } from './tree.ts'
export { everyCommand, findCommand } from './walk.ts'
export { renderHelp, renderVersion } from './help.ts'
export { runCommandLine } from './parse.ts'
