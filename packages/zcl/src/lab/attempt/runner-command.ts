// Resolves the words of a runner command that name files. With a workspace the runner starts in another
// folder than the one in which the command was typed.
import { statSync } from 'node:fs'
import path from 'node:path'

const interpreters = new Set([
  'node',
  'python',
  'python3',
  'bash',
  'sh',
  'zsh',
  'ruby',
  'perl',
  'deno',
  'bun',
])

/** Makes the program, its script, and words that start with `./` or `../` absolute if they exist. */
export function resolvedRunner(command: readonly string[], cwd: string): string[] {
  const [program = ''] = command
  const script = interpreters.has(path.basename(program))
    ? command.findIndex((word, index) => index > 0 && !word.startsWith('-'))
    : -1
  return command.map((word, index) => {
    const isPath = index === 0 ? word.includes('/') : /^\.\.?\//.test(word) || index === script
    const absolute = path.resolve(cwd, word)
    return isPath && isFile(absolute) ? absolute : word
  })
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
}
