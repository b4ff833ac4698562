// Help and version texts are rendered from the command tree at build time. This file finds the text for
// a command line, so that the launcher prints it without loading the parser.

/** The build writes this to `texts.json` beside the bundle. */
export interface PrerenderedTexts {
  version: string
  /** Help by command path: '' for the root, then `sessions`, `sessions list`. */
  help: Readonly<Record<string, string>>
}

/** Whether the arguments may request a prerendered text. Avoids reading the texts otherwise. */
export function isTextRequest(args: readonly string[], emptyMeansHelp: boolean): boolean {
  const [first] = args
  if (first === undefined) return emptyMeansHelp
  return first === 'help' || isVersion(args) || isHelpFlag(args.at(-1))
}

/**
 * The text that the arguments request, or undefined when the parser must decide:
 * in `exec -p --help`, `--help` may be a prompt.
 */
export function findPrerenderedText(
  args: readonly string[],
  texts: PrerenderedTexts,
): string | undefined {
  if (isVersion(args)) return texts.version
  const words = isHelpFlag(args.at(-1)) ? args.slice(0, -1) : args
  const command = words[0] === 'help' ? words.slice(1) : words
  if (command.some((word) => word.startsWith('-'))) return undefined
  // `version` is not a command of the tree: its help is the root help.
  const path = isVersion(command) ? '' : command.join(' ')
  return Object.hasOwn(texts.help, path) ? texts.help[path] : undefined
}

function isVersion(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === '--version' || args[0] === 'version')
}

function isHelpFlag(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}
