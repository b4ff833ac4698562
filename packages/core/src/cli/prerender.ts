// Renders all help texts of a command tree. The build writes them next to the bundle, and the launcher
// prints them without loading the parser.
import type { PrerenderedTexts } from '../exit/exit.ts'
import { renderHelp, renderVersion } from './help.ts'
import type { Program } from './tree.ts'
import { everyCommand, findCommand } from './walk.ts'

/** The contents of `texts.json`. */
export function prerenderTexts(tree: Program): string {
  const help: Record<string, string> = {}
  for (const { path } of everyCommand(tree)) {
    help[path.join(' ')] = renderHelp(findCommand(tree, path))
  }
  const texts: PrerenderedTexts = { version: renderVersion(tree), help }
  return `${JSON.stringify(texts, null, 1)}\n`
}
