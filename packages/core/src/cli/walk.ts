// Traverses a command tree.
import { usageError } from '../errors/errors.ts'
import type { Command } from './tree.ts'

/** The commands on the path from the root to the named command. */
export function findCommand(root: Command, path: readonly string[]): readonly Command[] {
  const found = [root]
  for (const word of path) {
    const next = found.at(-1)?.commands.find((command) => command.name === word)
    if (next === undefined) throw usageError(`unknown command '${word}'`)
    found.push(next)
  }
  return found
}

/** The root and every visible command below it, with their paths. */
export function* everyCommand(
  root: Command,
  path: readonly string[] = [],
): Generator<{ command: Command; path: readonly string[] }> {
  yield { command: root, path }
  for (const command of root.commands) {
    if (command.hidden !== true) yield* everyCommand(command, [...path, command.name])
  }
}
