// Ways through a command tree.
import { usageError } from '../errors/errors.ts'
import type { Command } from './tree.ts'

/** The command that a path of words names, with all commands on the way to it. */
export function findCommand(root: Command, path: readonly string[]): readonly Command[] {
  const found = [root]
  for (const word of path) {
    const next = found.at(-1)?.commands.find((command) => command.name === word)
    if (next === undefined) throw usageError(`unknown command '${word}'`)
    found.push(next)
  }
  return found
}

/** Every command below a root with its path; hidden ones left out. */
export function* everyCommand(
  root: Command,
  path: readonly string[] = [],
): Generator<{ command: Command; path: readonly string[] }> {
  yield { command: root, path }
  for (const command of root.commands) {
    if (command.hidden !== true) yield* everyCommand(command, [...path, command.name])
  }
}
