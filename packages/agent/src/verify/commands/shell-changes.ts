// File changes that a shell command makes by its own words: redirections, rm, mv, cp, touch, sed -i, git.
import { programWords, type SimpleCommand } from './shell.ts'

export interface ShellChange {
  kind: 'created' | 'edited' | 'deleted' | 'undone'
  path: string
  /** The new place of a file that was moved here. */
  movedTo?: string
}

export function shellChanges(
  parts: readonly SimpleCommand[],
  hasSucceeded: boolean,
): ShellChange[] {
  return parts.flatMap((part, index) => {
    // After a failed line, only commands before the last one may have succeeded.
    if (!hasSucceeded && index === parts.length - 1) return []
    return changesOf(part)
  })
}

const interpreter = /^(?:python[\d.]*|node|deno|bun|ruby|php|perl)$/
/** Calls that write the file of their first argument. */
const scriptWrites: readonly RegExp[] = [
  /\bopen\(\s*(['"])([^'"\n]+)\1\s*,\s*(?:mode\s*=\s*)?['"][wax]/g,
  /\bPath\(\s*(['"])([^'"\n]+)\1\s*\)\s*\.\s*write_(?:text|bytes)\b/g,
  /\b(?:writeFile|appendFile)(?:Sync)?\(\s*(['"`])([^'"`\n]+)\1/g,
  /\b(?:File\.write|file_put_contents)\(\s*(['"])([^'"\n]+)\1/g,
]

/** Files that a program in the command itself writes: `python - <<EOF`, `node -e`. */
export function scriptChanges(line: string, parts: readonly SimpleCommand[]): ShellChange[] {
  if (!parts.some(({ words }) => interpreter.test(programWords(words)[0] ?? ''))) return []
  return scriptWrites.flatMap((pattern) =>
    [...line.matchAll(pattern)].map(([, , path = '']) => change('edited', path)),
  )
}

function changesOf({ words, writes }: SimpleCommand): ShellChange[] {
  const [program = '', ...args] = programWords(words)
  const files = args.filter((word) => !word.startsWith('-'))
  const written = writes.map((path) => change('edited', path))
  switch (program) {
    case 'tee':
    case 'touch':
      return [...written, ...files.map((path) => change('edited', path))]
    case 'mkdir':
      return [...written, ...files.map((path) => change('created', path))]
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'del':
    case 'trash':
      return [...written, ...files.map((path) => change('deleted', path))]
    case 'cp':
      return [...written, ...copied(files)]
    case 'mv':
      return [...written, ...moved(files)]
    case 'git':
      return [...written, ...gitChanges(args)]
    case 'sed':
    case 'perl':
    case 'ruby':
      return args.some((word) => /^-\w*i/.test(word) || word.startsWith('--in-place'))
        ? [
            ...written,
            ...files.slice(program === 'sed' ? 1 : 0).map((path) => change('edited', path)),
          ]
        : written
    case 'prettier':
    case 'eslint':
    case 'black':
    case 'ruff':
    case 'gofmt':
    case 'oxfmt':
    case 'rustfmt':
      return /--(write|fix)\b|^black |^oxfmt /.test([program, ...args].join(' '))
        ? [...written, ...files.map((path) => change('edited', path))]
        : written
    default:
      return [...written, ...manifestsOf([program, ...args]).map((path) => change('edited', path))]
  }
}

/** Files that a package manager writes when it installs: the first words of a command, and the files. */
const installs: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^npm (i|install|add|rm|remove|uninstall|update|up) ./, ['package.json', 'package-lock.json']],
  [/^npm (ci|i|install)$/, ['package-lock.json']],
  [/^yarn (add|remove|upgrade|up) /, ['package.json', 'yarn.lock']],
  [/^yarn( install)?$/, ['yarn.lock']],
  [/^pnpm (add|remove|update|up) /, ['package.json', 'pnpm-lock.yaml']],
  [/^pnpm (i|install)$/, ['pnpm-lock.yaml']],
  [/^bun (add|remove|update) /, ['package.json', 'bun.lock']],
  [/^bun (i|install)$/, ['bun.lock']],
  [/^pip3? install/, ['site-packages']],
  [/^go (get|mod tidy)/, ['go.mod', 'go.sum']],
  [/^cargo (add|remove|update)/, ['Cargo.toml', 'Cargo.lock']],
  [/^(bundle|gem) (install|update|add)/, ['Gemfile', 'Gemfile.lock']],
  [/^composer (install|require|update|remove)/, ['composer.json', 'composer.lock']],
]

export function manifestsOf(words: readonly string[]): readonly string[] {
  const line = words.join(' ')
  return installs.find(([start]) => start.test(line))?.[1] ?? []
}

/** Whether an installation writes the file: that makes no test result stale. */
export function isManifest(path: string): boolean {
  const name = path.replace(/^.*\//, '')
  return installs.some(([, files]) => files.includes(name))
}

function change(kind: ShellChange['kind'], path: string): ShellChange {
  return { kind, path }
}

function copied(files: readonly string[]): ShellChange[] {
  const target = files.at(-1)
  return files.length < 2 || target === undefined ? [] : [change('created', target)]
}

function moved(files: readonly string[]): ShellChange[] {
  const target = files.at(-1)
  if (files.length < 2 || target === undefined) return []
  return files.slice(0, -1).flatMap((path) => {
    const isFolder = target.endsWith('/') || files.length > 2
    const to = isFolder ? `${target.replace(/\/$/, '')}/${path.replace(/^.*\//, '')}` : target
    return [{ kind: 'deleted' as const, path, movedTo: to }, change('created', to)]
  })
}

function gitChanges([command = '', ...args]: readonly string[]): ShellChange[] {
  const files = args.filter((word) => !word.startsWith('-'))
  if (command === 'rm') return files.map((path) => change('deleted', path))
  if (command === 'mv') return moved(files)
  if (command === 'checkout' || command === 'restore') {
    const named = args.includes('--') ? args.slice(args.indexOf('--') + 1) : files
    return named.filter((word) => /[./]/.test(word)).map((path) => change('undone', path))
  }
  return []
}
