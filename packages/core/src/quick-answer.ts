// Help and version texts are rendered from the command tree at build time; here they are found
// again by the words of the command line, so that the launcher prints them without the parser.

/** The build writes this to `texts.json` beside the bundle. */
export interface PrerenderedTexts {
  version: string
  /** Help by command path: '' for the root, then `sessions`, `sessions list`. */
  help: Readonly<Record<string, string>>
}

/** Whether the arguments could be answered by a text; decided before the texts are read. */
export function asksForText(args: readonly string[], bareIsHelp: boolean): boolean {
  const [first] = args
  if (first === undefined) return bareIsHelp
  return first === 'help' || isVersion(args) || isHelpFlag(args.at(-1))
}

/**
 * The text that answers the arguments, or undefined when only the parser can tell:
 * `exec -p --help` may well mean a prompt.
 */
export function quickAnswer(args: readonly string[], texts: PrerenderedTexts): string | undefined {
  if (isVersion(args)) return texts.version
  const words = args[0] === 'help' ? args.slice(1) : args.slice(0, Math.max(0, args.length - 1))
  if (words.some((word) => word.startsWith('-'))) return undefined
  const path = words.join(' ')
  return Object.hasOwn(texts.help, path) ? texts.help[path] : undefined
}

function isVersion(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === '--version' || args[0] === 'version')
}

function isHelpFlag(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}
