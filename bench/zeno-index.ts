// Speed of zeno's warm index compared with ripgrep on a real tree. Each query goes to a running
// server over its pipe, with parsed answers, and to rg with the same exclusions. ZENO_BENCH_TREE
// names the tree (sensible: 30,000 files and 250 MB or more, such as the sources of Linux); the
// default is the project's own node_modules. Each sample starts a server and measures from the
// moment its index is ready.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Case, FunctionVariant, Sample, Variant } from './harness/case.ts'
import { cutTree } from './harness/cut-tree.ts'
import { repositoryOf, storeRepository, withServer } from './harness/zeno-server.ts'

const tree = process.env.ZENO_BENCH_TREE
const everything = { max_files: 10_000_000 }

interface Question {
  name: string
  args: Record<string, unknown>
  rg: readonly string[]
  /** The goal: how many times faster than rg. */
  timesFaster: number
  /** Number of lines after which rg, sorted by path, stops. */
  head?: number | undefined
}

const literal = (pattern: string): string[] => ['-F', '-n', pattern]
const all = { max_hits: 10_000_000 }

const questions: readonly Question[] = [
  ask('rare', { pattern: word('RARE', 'page_cache_ra_unbounded') }, 300),
  ask('absent', { pattern: 'zzqxnotfound' }, 300),
  ask('first 200', { pattern: word('COMMON', 'EXPORT_SYMBOL_GPL') }, 100, 200),
  ask('first 200 of very many', { pattern: 'return' }, 20, 200),
  ask('all hits', { pattern: word('COMMON', 'EXPORT_SYMBOL_GPL'), ...all }, 20),
  ask(
    'regex with a literal',
    { pattern: 'static int \\w+_probe\\(struct usb_', regex: true, ...all },
    8,
  ),
  ask('regex with alternatives', { pattern: 'pr_(err|warn)\\("%s: bad', regex: true, ...all }, 3),
  ask(
    'regex without a literal',
    { pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}T', regex: true, ...all },
    1,
  ),
  ask(
    'regex of words alone',
    { pattern: '\\w{12}_\\w{12}_\\w{12}_\\w{12}', regex: true, ...all },
    1,
  ),
  ask('regex of classes alone', { pattern: '[a-z]{5}[0-9]+[A-Z]', regex: true, ...all }, 1),
  ask('two letters', { pattern: 'zq', ...all }, 6),
]

export const cases: readonly Case[] = [
  ...questions.map(questionCase),
  changeCase(),
  freshCase(),
  smallCase(),
  ...(process.env.ZENO_BENCH_MILLION === undefined ? [] : millionCases()),
]

function realTree(scratch: string): string {
  return tree ?? path.join(repositoryOf(scratch), 'node_modules')
}

function word(name: string, defaultWord: string): string {
  return process.env[`ZENO_BENCH_${name}`] ?? defaultWord
}

function ask(
  name: string,
  args: Record<string, unknown>,
  timesFaster: number,
  head?: number,
): Question {
  const pattern = String(args.pattern)
  const rg = args.regex === true ? ['-n', pattern] : literal(pattern)
  return { name, args, rg, timesFaster, head }
}

function questionCase(question: Question): Case {
  return searchCase(`index ${question.name}`, question, realTree)
}

function searchCase(name: string, question: Question, root: (scratch: string) => string): Case {
  const peer = question.head === undefined ? 'rg -n' : `rg --sort path, first ${question.head}`
  const [p50, p99] = ['zeno, warm, p50', 'zeno, warm, p99']
  const hasTailGoal = question.timesFaster >= 300
  return {
    name,
    question: `what does ${JSON.stringify(question.args.pattern)} cost a warm server?`,
    repetitions: 10,
    prepare: storeRepository,
    variants: [
      rgVariant(peer, question, root),
      percentile(p50, 0.5, question.args, root),
      ...(hasTailGoal ? [percentile(p99, 0.99, question.args, root)] : []),
    ],
    goals: [
      { variant: p50, figure: 'wall', timesFaster: question.timesFaster, peer },
      ...(hasTailGoal ? [{ variant: p99, figure: 'wall', atMost: 5 } as const] : []),
    ],
  }
}

function rgVariant(
  name: string,
  { rg, head }: Question,
  root: (scratch: string) => string,
): Variant {
  const sort = head === undefined ? [] : ['--sort', 'path']
  const end = head === undefined ? 'cat >/dev/null' : `head -${head} >/dev/null`
  return {
    name,
    command: ({ scratch }) => [
      ...['bash', '-c', `cd "$1" && shift && "$@" | ${end}; true`, 'bench', root(scratch)],
      ...[rgPath, '--no-config', '--no-ignore', '-a', '--max-filesize', '2000000', ...sort],
      ...['venv', 'node_modules', 'dist', 'build'].flatMap((folder) => ['-g', `!${folder}/`]),
      ...rg,
      '.',
    ],
  }
}

/** The percentile of the wall time per answer, and the mean CPU time. */
function percentile(
  name: string,
  share: number,
  args: Record<string, unknown>,
  root: (scratch: string) => string,
): FunctionVariant {
  return {
    name,
    unit: 'answers',
    run: (scratch) =>
      withServer(scratch, root(scratch), async (server) => {
        const times: number[] = []
        const cpu = server.cpuMs()
        const end = performance.now() + 1500
        do {
          const began = performance.now()
          await server.ask('grep', { ...everything, ...args })
          times.push(performance.now() - began)
        } while (performance.now() < end && times.length < 2000)
        times.sort((a, b) => a - b)
        const wallMs = times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
        return { wallMs, cpuMs: (server.cpuMs() - cpu) / times.length, rssMib: server.rssMib() }
      }),
  }
}

const changes = 200

function changeCase(): Case {
  const [empty, changed] = ['search alone, p50', 'write one file and find it, p50']
  const run = (write: boolean) => (scratch: string) => {
    const root = copyOf(scratch)
    return withServer(scratch, root, async (server): Promise<Partial<Sample>> => {
      const times: number[] = []
      for (let round = 0; round < changes; round++) {
        const text = `needle${round}x`
        writeFileSync(path.join(root, 'changing.txt'), `${'some text\n'.repeat(1000)}${text}\n`)
        if (!write) await server.ask('grep', { ...everything, pattern: text })
        const began = performance.now()
        const { hits } = await server.ask('grep', { ...everything, pattern: text })
        times.push(performance.now() - began)
        if ((hits as unknown[]).length !== 1) throw new Error('the answer is stale')
      }
      times.sort((a, b) => a - b)
      return { wallMs: times[changes >> 1] as number }
    })
  }
  return {
    name: 'index change',
    question: 'what does one changed file add to the next search?',
    repetitions: 5,
    prepare: prepareCopy,
    variants: [
      { name: empty, unit: 'searches', run: run(false) },
      { name: changed, unit: 'searches', run: run(true) },
    ],
    goals: [{ variant: changed, figure: 'wall', atMost: 2, peer: empty }],
  }
}

function freshCase(): Case {
  const rounds = Number(process.env.ZENO_BENCH_ROUNDS ?? 5000)
  const fresh = `write, then search: ${rounds.toLocaleString('en')} rounds, none stale`
  return {
    name: 'index fresh',
    question: 'does a search ever miss a write that ended before it?',
    repetitions: 1,
    prepare: prepareCopy,
    variants: [
      {
        name: fresh,
        unit: 'rounds',
        run: (scratch) => {
          const root = copyOf(scratch)
          return withServer(scratch, root, async (server) => {
            const file = path.join(root, 'fresh.txt')
            for (let round = 0; round < rounds; round++) {
              const text = `round${round}y`
              if (round % 7 === 0) rmSync(file, { force: true })
              if (round % 3 === 0) appendFileSync(file, `${text}\n`)
              else writeFileSync(file, `${text}\n`)
              const { hits } = await server.ask('grep', { ...everything, pattern: text })
              if ((hits as unknown[]).length !== 1)
                throw new Error(`the answer of round ${round} is stale`)
            }
            return rounds
          })
        },
      },
    ],
    goals: [],
  }
}

function smallCase(): Case {
  const question = ask('1,000 files', { pattern: 'DiscriminatedUnion7' }, 10)
  return { ...searchCase('index 1,000 files', question, (scratch) => generated(scratch, 1000)) }
}

/** A million generated files and, with ZENO_BENCH_TREE, a million pieces of its files. */
function millionCases(): Case[] {
  const files = 1_000_000
  const question = ask('1,000,000 files', { pattern: 'DiscriminatedUnion7777' }, 1000)
  const made = searchCase('index million', question, (scratch) => generated(scratch, files))
  if (tree === undefined) return [{ ...made, repetitions: 2 }]
  const rare = ask('1,000,000 pieces', { pattern: word('RARE', 'page_cache_ra_unbounded') }, 1000)
  const cut = searchCase('index million cut', rare, cutIn)
  const prepare = async (scratch: string): Promise<void> => {
    storeRepository(scratch)
    const bytes = await cutTree(tree, cutIn(scratch), files)
    writeFileSync(path.join(scratch, 'cut-bytes'), String(bytes))
  }
  const variants = [...cut.variants, sizeVariant()]
  return [
    { ...made, repetitions: 2 },
    { ...cut, prepare, variants, repetitions: 2 },
  ]
}

function cutIn(scratch: string): string {
  return path.join(scratch, 'cut')
}

/** Fails when the signatures of short texts exceed a tenth of the text size. */
function sizeVariant(): FunctionVariant {
  return {
    name: 'signatures, MB (at most a tenth)',
    unit: 'MB',
    run: (scratch) =>
      withServer(scratch, cutIn(scratch), async (server) => {
        const { index } = await server.ask('index_stats', {})
        const { signature_bytes: signatures } = index as { signature_bytes: number }
        const share = signatures / Number(readFileSync(path.join(scratch, 'cut-bytes'), 'utf8'))
        if (share > 0.1)
          throw new Error(`signatures take ${(share * 100).toFixed(1)} % of the text size`)
        return signatures / 1e6
      }),
  }
}

/** Returns the folder of generated files and creates it on the first call. */
function generated(scratch: string, files: number): string {
  const folder = path.join(scratch, `tree-${files}`)
  try {
    mkdirSync(folder)
  } catch {
    return folder
  }
  for (let number = 0; number < files; number++) {
    const moduleFolder = path.join(folder, `pkg${number % 97}/module${number % 1009}`)
    if (number < 97 * 1009) mkdirSync(moduleFolder, { recursive: true })
    const lines = Array.from({ length: 5 + (number % 40) }, (_, line) => {
      return `  const value${line} = compute(${(number * 31 + line * 7) % 9973})`
    })
    lines.push(`type T = DiscriminatedUnion${number}`)
    writeFileSync(path.join(moduleFolder, `file${number}.ts`), `${lines.join('\n')}\n`)
  }
  return folder
}

function prepareCopy(scratch: string): void {
  storeRepository(scratch)
  copyOf(scratch)
}

function copyOf(scratch: string): string {
  return generated(scratch, 5000)
}
