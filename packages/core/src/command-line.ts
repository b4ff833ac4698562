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
} from './command-tree.ts'
export { commandFor, program, wholeNumber } from './command-tree.ts'
export { everyCommand, findCommand } from './command-walk.ts'
export { renderHelp, renderVersion } from './command-help.ts'
export { runCommandLine } from './command-parse.ts'
