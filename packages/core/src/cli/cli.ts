// Command lines: a program declares a tree of commands, and `runCommandLine` runs the one that the
// arguments name. Completion scripts load lazily.

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
export { commandFor, internalGroup, program, wholeNumber } from './tree.ts'
export { everyCommand, findCommand } from './walk.ts'
export { renderHelp, renderVersion } from './help.ts'
export { runCommandLine } from './parse.ts'
export { pageOptions } from './page-options.ts'
