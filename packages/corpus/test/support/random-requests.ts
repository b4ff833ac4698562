// Random changes to a tree and random requests, derived from a seed for reproducible runs.
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

export type Random = (below: number) => number

export function randomNumbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pick = <T>(random: Random, of: readonly T[]): T => of[random(of.length)] as T

const words = ['alpha', 'Beta', 'gamma', 'DELTA', 'total', 'to', 'é', 'naïve', 'K', 'ſet', '\ufffd']
const folders = [
  '',
  'src/',
  'src/deep/',
  'lib/',
  '.hidden/',
  'build/',
  'node_modules/m/',
  'a-b/',
  'ü/',
]
const names = ['a.ts', 'b.ts', 'c.py', '.env', 'README.md', 'data.txt', 'x\ufffd.txt', 'é.ts']

function text(random: Random): Buffer {
  const parts: Buffer[] = []
  for (let count = random(30); count > 0; count--) {
    const bytes =
      random(40) === 0 ? Buffer.from([0xff, 0xc3, 0x80]) : Buffer.from(pick(random, words))
    parts.push(bytes, Buffer.from(pick(random, [' ', ' ', '\n', '\r\n', '\r', '', '_'])))
  }
  if (random(60) === 0) parts.push(Buffer.alloc(3000, 'wide alpha line '))
  return Buffer.concat(parts)
}

/** Makes one random change; impossible ones are ignored. */
export function changeTree(root: string, random: Random): void {
  const at = (): string => path.join(root, pick(random, folders) + pick(random, names))
  const file = at()
  try {
    switch (random(12)) {
      case 0:
        return rmSync(file, { recursive: true })
      case 1:
        return renameSync(file, at())
      case 2:
        return renameSync(
          path.dirname(file),
          path.join(root, pick(random, ['moved', 'lib', 'src/deep'])),
        )
      case 3:
        return rmSync(path.join(root, pick(random, ['lib', 'src/deep', 'moved'])), {
          recursive: true,
        })
      case 4:
        return symlinkSync(pick(random, ['a.ts', 'src', '../outside', 'lib/b.ts', '.']), file)
      case 5:
        return linkSync(file, at())
      case 6:
        return appendFileSync(file, text(random))
      case 7:
        return keepTimes(file, () => writeFileSync(file, text(random)))
      case 8:
        return writeFileSync(
          path.join(root, pick(random, folders), '.gitignore'),
          '*.py\n/lib\n!a.ts\n',
        )
      default:
        mkdirSync(path.dirname(file), { recursive: true })
        return writeFileSync(file, text(random))
    }
  } catch {
    // The file is missing, or another entry is in the way.
  }
}

function keepTimes(file: string, change: () => void): void {
  const { atime, mtime } = statSync(file)
  change()
  utimesSync(file, atime, mtime)
}

const globs = ['**/*.ts', '*.py', 'src/**', 'lib', 'README.md', '**/é*', '{src,lib}/*', '[a-c].*']
const patterns = [
  ...[
    'alpha',
    'beta',
    'total',
    'to',
    'é',
    'naïve',
    'k',
    'set',
    '\ufffd',
    'lpha Be',
    'zzz',
    'a',
    '_',
  ],
  ...['ÉTO', 'wide alpha', 'alpha\n', 'İ'],
]
const regexes = [
  ...['al.ha', '\\btotal\\b', '(?i)beta|delta', '^\\w+$', '(alpha|gamma) ?Beta', 'é+', '[A-Z]{3}'],
  ...['(?<=al)pha', '(a)\\1', 'to(tal)?', '\\W{2}', 'x*', '(?i)set', '(?i)k'],
]

/** A random client request: operation and arguments. */
export function randomRequest(random: Random): {
  op: 'list' | 'grep' | 'summary' | 'chunks'
  args: object
} {
  const args: Record<string, unknown> = {}
  const maybe = (odds: number, name: string, value: () => unknown): void => {
    if (random(odds) === 0) args[name] = value()
  }
  maybe(4, 'include_hidden', () => true)
  maybe(5, 'default_excludes', () => false)
  maybe(6, 'exclude_dirs', () => [pick(random, ['src', 'deep', 'ü'])])
  maybe(6, 'exclude_globs', () => [pick(random, globs)])
  maybe(6, 'respect_gitignore', () => true)
  maybe(6, 'max_files', () => random(8))
  const op = pick(random, ['grep', 'grep', 'grep', 'grep', 'list', 'summary', 'chunks'] as const)
  if (op === 'grep') {
    const regex = random(3) === 0
    args.pattern = pick(random, regex ? regexes : patterns)
    if (regex) args.regex = true
    maybe(3, 'case_sensitive', () => false)
    maybe(4, 'paths', () => [pick(random, globs)])
    maybe(4, 'max_hits', () => random(6))
    maybe(6, 'max_bytes', () => pick(random, [0, 10, 200, 3_000_000]))
    maybe(5, 'context', () => random(3))
    maybe(3, 'mode', () => pick(random, ['count', 'files', 'hits']))
    maybe(8, 'max_chars', () => random(400))
    maybe(8, 'hash', () => true)
    maybe(8, 'max_line_chars', () => 20)
  } else maybe(2, 'glob', () => pick(random, globs))
  if (op === 'list') maybe(3, 'max', () => random(10))
  return { op, args }
}
