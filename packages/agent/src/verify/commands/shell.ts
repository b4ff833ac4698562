// Splits a shell line into simple commands and the operators between them. Lenient: the line has run
// already, so text that a shell would refuse does not matter.

export interface SimpleCommand {
  words: string[]
  /** Files that redirections write. */
  writes: string[]
  /** The operator after the command; empty for the last one. */
  operator: '' | '&&' | '||' | ';' | '|' | '&'
}

/** The simple commands of a line in order. Quotes are removed; here-documents and comments are left out. */
export function splitShell(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let current: SimpleCommand = { words: [], writes: [], operator: '' }
  const end = (operator: SimpleCommand['operator']) => {
    if (current.words.length > 0 || current.writes.length > 0) {
      commands.push({ ...current, operator })
    }
    current = { words: [], writes: [], operator: '' }
  }
  let target: 'word' | 'write' | 'skip' = 'word'
  for (const token of tokens(withoutHereDocuments(line))) {
    if (token.type === 'operator') end(token.text)
    else if (token.type === 'redirect') target = token.isWrite ? 'write' : 'skip'
    else {
      if (target === 'word') current.words.push(token.text)
      else if (target === 'write' && !token.text.startsWith('/dev/')) {
        current.writes.push(token.text)
      }
      target = 'word'
    }
  }
  end('')
  return commands
}

type Token =
  | { type: 'word'; text: string }
  | { type: 'operator'; text: Exclude<SimpleCommand['operator'], ''> }
  | { type: 'redirect'; isWrite: boolean }

const tokenPattern =
  /[^\S\n]*(?:#[^\n]*|(\\\n)|(\n)|(&&|\|\||;;?|\|&?)|(?:(\d*)(>>?|<)(&\d|&-)?)|(&>>?)|(&)|((?:[^\s"'\\;|&<>()]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\$\([^)]*\))+)|([\s\S]))/g

function* tokens(line: string): Generator<Token> {
  for (const found of line.matchAll(tokenPattern)) {
    const [, joined, newline, operator, number, arrow, duplicate, both, background, word] = found
    if (joined !== undefined) continue
    if (newline !== undefined) yield { type: 'operator', text: ';' }
    else if (operator !== undefined) {
      const text = operator.startsWith(';') ? ';' : operator === '|&' ? '|' : operator
      yield { type: 'operator', text: text as '&&' | '||' | ';' | '|' }
    } else if (arrow !== undefined) {
      if (duplicate !== undefined) continue
      yield { type: 'redirect', isWrite: arrow !== '<' && (number === '' || number === '1') }
    } else if (both !== undefined) yield { type: 'redirect', isWrite: true }
    else if (background !== undefined) yield { type: 'operator', text: '&' }
    else if (word !== undefined) yield { type: 'word', text: unquote(word) }
  }
}

function unquote(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
    (_all, double, single, escaped) => String(double ?? single ?? escaped),
  )
}

function withoutHereDocuments(line: string): string {
  return line.replace(
    /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2(?=\n|$)|$)/g,
    (_all, _quote, _mark, rest) => String(rest),
  )
}

/** Programs that start another program: `npx vitest`, `timeout 60 make`. */
const launchers = new Set([
  ...['npx', 'bunx', 'sudo', 'env', 'time', 'nice', 'exec', 'command', 'nohup', 'stdbuf'],
  ...['timeout', 'xvfb-run', 'cross-env', 'dotenv', 'yarn', 'pnpm', 'uv', 'poetry', 'pipenv'],
  ...['hatch', 'pdm', 'bundle', 'corepack', 'rtk', 'script'],
])
/** Words after a launcher that belong to it. */
const launcherWords = new Set([
  'exec',
  'run',
  'dlx',
  '--',
  'x',
  '-y',
  '--yes',
  '--no-install',
  '-s',
])

/** The words of the program that really runs, without variables and launchers. */
export function programWords(words: readonly string[]): string[] {
  const rest = [...words]
  for (;;) {
    const [first = ''] = rest
    if (/^\w+=/.test(first)) rest.shift()
    else if (isLauncher(rest)) {
      rest.shift()
      while (launcherWords.has(rest[0] ?? '') || /^(-\w+|\d+[smh]?|\w+=\S*)$/.test(rest[0] ?? '')) {
        rest.shift()
      }
    } else if (/^python[\d.]*$/.test(first) && rest[1] === '-m') rest.splice(0, 2)
    else break
  }
  const [program = '', ...args] = rest
  return program === '' ? [] : [program.replace(/^.*\/(?=[^/]+$)/, ''), ...args]
}

/** `yarn test` and `pnpm run build` are scripts of the package, not programs. */
function isLauncher([first = '', second = '']: readonly string[]): boolean {
  if (!launchers.has(first)) return false
  const isScriptRunner = first === 'yarn' || first === 'pnpm'
  return (
    !isScriptRunner ||
    second === 'exec' ||
    second === 'dlx' ||
    /^(vitest|jest|eslint|tsc)$/.test(second)
  )
}
