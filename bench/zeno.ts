// zeno compared with the usual tools: ripgrep for searching and listing, sed for reading. Each zeno
// variant is a process from start to exit with its requests on standard input. Before the timing
// starts, the case checks that both tools return the same results.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Case, CommandVariant, Place } from './harness/case.ts'

const repository = path.dirname(path.dirname(process.argv[1] ?? 'bench/main.ts'))
const zeno = path.join(repository, 'packages/zeno/bin/zeno.cjs')

const generatedFiles = 50_000
const requestsPerRun = 10
const word = 'DiscriminatedUnion'

interface Tree {
  name: string
  folder(scratch: string): string
  prepare?(scratch: string): void
}

const trees: readonly Tree[] = [
  { name: 'node_modules', folder: () => path.join(repository, 'node_modules') },
  {
    name: `${generatedFiles} files`,
    folder: (scratch) => path.join(scratch, 'tree'),
    prepare: (scratch) => writeTree(path.join(scratch, 'tree')),
  },
]

/** The start of Node in the same pipeline. */
const emptyNode: CommandVariant = {
  name: 'node alone',
  command: (place) => place.pipeline(`printf %s '' | "$1" /dev/null | cat >/dev/null`, place.node),
}

export const cases: readonly Case[] = [
  ...trees.map(grepCase),
  ...trees.map((tree) => listCase(tree, 1)),
  ...trees.map((tree) => listCase(tree, requestsPerRun)),
  readCase(),
]

function grepCase(tree: Tree): Case {
  const [peer, own] = ['rg -a', 'zeno, cold']
  const args = { pattern: word, max_hits: 1_000_000, max_files: 1_000_000, max_bytes: 2_000_000 }
  return {
    name: `grep ${tree.name}`,
    question: `what does the first literal search of ${tree.name} cost, start included?`,
    repetitions: 7,
    prepare(scratch) {
      tree.prepare?.(scratch)
      const folder = tree.folder(scratch)
      const hits = answer(folder, 'grep', args).hits as { path: string; line: number }[]
      const found = hits.map((hit) => `${hit.path}:${hit.line}`)
      requireEqual(`hits in ${tree.name}`, found, rgHits(folder))
    },
    variants: [
      rgVariant(peer, tree, ['-a', '-F', '-n', '--no-heading', '--max-filesize', '2000000', word]),
      zenoVariant(own, tree, [request('grep', args)]),
      emptyNode,
    ],
    goals: [{ variant: own, figure: 'cpu', atMost: 2, peer }],
  }
}

/**
 * `runs` listings by one zeno process, compared with `runs` runs of rg. One run measures the cold
 * start.
 */
function listCase(tree: Tree, runs: number): Case {
  const isCold = runs === 1
  const peer = isCold ? 'rg --files' : `rg --files, ${runs} runs`
  const own = isCold ? 'zeno, cold' : `zeno, ${runs} requests in one process`
  const args = { max: 1_000_000, max_files: 1_000_000 }
  const requests = Array.from({ length: runs }, () => request('list_files', args))
  return {
    name: `${isCold ? 'list-cold' : 'list'} ${tree.name}`,
    question: isCold
      ? `what does the first listing of ${tree.name} cost, start included?`
      : `what do ${runs} listings of ${tree.name} cost when zeno starts only once?`,
    repetitions: 5,
    prepare(scratch) {
      tree.prepare?.(scratch)
      const folder = tree.folder(scratch)
      const files = answer(folder, 'list_files', args).files as string[]
      requireEqual(`files in ${tree.name}`, files, rgLines(folder, ['--files']))
    },
    variants: [
      { name: peer, command: repeatedRg(tree, runs) },
      zenoVariant(own, tree, requests),
      ...(isCold ? [emptyNode] : []),
    ],
    goals: [{ variant: own, figure: 'cpu', atMost: 1.5, peer }],
  }
}

function readCase(): Case {
  const [peer, own] = ['sed -n', 'zeno read_file, cold']
  const [from, to] = [700_001, 700_100]
  const args = { path: 'big.txt', start_line: from, end_line: to }
  return {
    name: 'read',
    question: 'what do 100 lines from the middle of a 100 MB file cost?',
    repetitions: 7,
    prepare(scratch) {
      writeBigFile(path.join(scratch, 'big.txt'))
      const { text } = answer(scratch, 'read_file', args)
      const file = path.join(scratch, 'big.txt')
      const lines = execFileSync('sed', ['-n', `${from},${to}p`, file], { encoding: 'utf8' })
      requireEqual('lines', [`${String(text)}\n`], [lines])
    },
    variants: [
      {
        name: peer,
        command: ({ scratch }) => ['sed', '-n', `${from},${to}p`, path.join(scratch, 'big.txt')],
      },
      {
        name: own,
        command: (place) => zenoCommand(place, place.scratch, [request('read_file', args)]),
      },
    ],
    goals: [{ variant: own, figure: 'cpu', atMost: 3, peer }],
  }
}

function request(op: string, args: object): string {
  return `${JSON.stringify({ id: op, op, args })}\n`
}

function zenoVariant(name: string, tree: Tree, requests: readonly string[]): CommandVariant {
  return {
    name,
    command: (place) => zenoCommand(place, tree.folder(place.scratch), requests),
  }
}

/** Clients connect over a pipe, so standard input must be one. */
function zenoCommand(place: Place, root: string, requests: readonly string[]): string[] {
  const script = 'printf %s "$1" | "$2" "$3" serve --root "$4" | cat >/dev/null'
  return place.pipeline(script, requests.join(''), place.node, zeno, root)
}

function rgVariant(name: string, tree: Tree, args: readonly string[]): CommandVariant {
  return {
    name,
    command: (place) => rgCommand(place, tree.folder(place.scratch), args, '"$@" | cat >/dev/null'),
  }
}

function repeatedRg(tree: Tree, runs: number): CommandVariant['command'] {
  const script = `for run in {1..${runs}}; do "$@" | cat >/dev/null; done`
  return (place) => rgCommand(place, tree.folder(place.scratch), ['--files'], script)
}

function rgCommand(place: Place, root: string, args: readonly string[], script: string): string[] {
  return place.pipeline(`cd "$1" && shift && ${script}`, root, ...rgWords(args))
}

/**
 * Selects the same files as zeno: no hidden files, no dependency and build folders, no ignore
 * files.
 */
function rgWords(args: readonly string[]): string[] {
  const folders = ['venv', 'node_modules', 'dist', 'build']
  const globs = folders.flatMap((folder) => ['-g', `!${folder}/`])
  return [rgPath, '--no-config', '--no-ignore', ...globs, ...args, '.']
}

function rgLines(root: string, args: readonly string[]): string[] {
  const [command = '', ...rest] = rgWords(args)
  const text = execFileSync(command, rest, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 30 })
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.replace(/^\.\//, ''))
}

function rgHits(root: string): string[] {
  const args = ['-a', '-F', '-n', '--no-heading', '--max-filesize', '2000000', word]
  return rgLines(root, args).map((line) => line.split(':', 2).join(':'))
}

function answer(root: string, op: string, args: object): Record<string, unknown> {
  const line = execFileSync(process.execPath, [zeno, 'serve', '--root', root], {
    input: request(op, args),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  const reply = JSON.parse(line) as { ok: boolean; result: Record<string, unknown> }
  if (!reply.ok) throw new Error(line)
  return reply.result
}

function requireEqual(what: string, ours: readonly string[], theirs: readonly string[]): void {
  const [left, right] = [ours.toSorted(), theirs.toSorted()]
  const index = left.findIndex((each, position) => each !== right[position])
  if (left.length === right.length && index === -1) return
  const first = `${left[index] ?? 'nothing'} and ${right[index] ?? 'nothing'}`
  throw new Error(`${what} differ: ${left.length} and ${right.length}; first difference: ${first}`)
}

function writeTree(folder: string): void {
  const filler = Array.from(
    { length: 40 },
    (_, line) => `  const value${line} = compute(${line})\n`,
  )
  for (let group = 0; group < 500; group++) {
    const moduleFolder = path.join(folder, `pkg${group % 25}/module${group}`)
    mkdirSync(moduleFolder, { recursive: true })
    for (let file = 0; file < generatedFiles / 500; file++) {
      const mark = (group * 100 + file) % 97 === 0 ? `type T = ${word}<${file}>\n` : ''
      const lines = filler.slice(0, 5 + ((group + file) % 35)).join('')
      writeFileSync(
        path.join(moduleFolder, `file${file}.ts`),
        `// ${group} ${file}\n${lines}${mark}`,
      )
    }
  }
}

function writeBigFile(file: string): void {
  const fd = openSync(file, 'w')
  for (let block = 0; block < 100; block++) {
    const lines = Array.from({ length: 10_000 }, (_, index) => {
      return `${block * 10_000 + index} ${'some words of a log line '.repeat(4)}`.slice(0, 99)
    })
    writeSync(fd, `${lines.join('\n')}\n`)
  }
  closeSync(fd)
}
