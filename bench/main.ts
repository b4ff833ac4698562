// npm run bench [-- name...]: asks the questions in bench/<name>.ts and prints a table for each.
//
// Every figure is read against a floor or a peer that is measured in the same run: the variants of a
// case take turns, A B C A B C ..., after one round that does not count, and the table shows ratios to
// the first variant. For each variant: CPU time (user and system, whole process tree, minimum), wall
// time (minimum and median), peak RSS (whole tree), and units per second where a function is measured.
// How CPU time and memory are taken: harness/measure-command.ts and harness/tree-memory.ts.
// NODE_EXTRA_CA_CERTS is unset for everything that is measured. A bar that is missed is printed, not
// failed; the exit code is 1 only when something that is measured does not run.
//
// To add a question: write bench/<name>.ts with `cases` (harness/case.ts) and add it to `files`.
import os from 'node:os'
import path from 'node:path'
import { isFunctionVariant, type BenchFile, type Case } from './harness/case.ts'
import { stopRunning } from './harness/child.ts'
import { reportFunction } from './harness/measure-function.ts'
import { createProgress } from './harness/progress.ts'
import { caseData, caseReport } from './harness/report.ts'
import { keepResults, type CaseResult } from './harness/results.ts'
import { removeScratch, runCase, type CaseRun } from './harness/run-case.ts'

const files: Readonly<Record<string, () => Promise<BenchFile>>> = {
  start: () => import('./start.ts'),
  journal: () => import('./journal.ts'),
  pages: () => import('./pages.ts'),
  process: () => import('./process.ts'),
  'zcl-compare': () => import('./zcl-compare.ts'),
  'zcl-funnels': () => import('./zcl-funnels.ts'),
  'zcl-lab': () => import('./zcl-lab.ts'),
  zdx: () => import('./zdx.ts'),
  'zino-mem': () => import('./zino-mem.ts'),
  zeno: () => import('./zeno.ts'),
  'zeno-build': () => import('./zeno-build.ts'),
  'zeno-index': () => import('./zeno-index.ts'),
  'zeno-symbols': () => import('./zeno-symbols.ts'),
  zino: () => import('./zino.ts'),
  zcl: () => import('./zcl.ts'),
}

const help = `usage: npm run bench -- [options] [name...]

Runs the named questions, or all of them. A name is a file (journal) or a case (journal/read).

  --list             print the names and what they ask
  --repetitions <n>  how often each variant is measured, instead of the case's own number
  --help             print this text

Results are printed and kept in bench/results/<file>.json, case by case.
`

interface Request {
  names: string[]
  repetitions?: number
}

interface Selection {
  file: string
  /** Those that are asked for, and the names of all. */
  cases: readonly Case[]
  known: readonly string[]
}

/** This bundle, to be started again for functions and small programs. */
const self = import.meta.filename

void main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  },
)

async function main(args: readonly string[]): Promise<number> {
  const [mode, target = '', ...rest] = args
  if (mode === '--program') return runProgram(target, rest)
  if (mode === '--function') return runFunction(target, rest)
  if (args.includes('--help')) {
    process.stdout.write(help)
    return 0
  }
  if (args.includes('--list')) return list()
  const request = parse(args)
  if (typeof request === 'string') return refuse(request)
  const selections = await select(request.names)
  if (typeof selections === 'string') return refuse(selections)
  endCleanly()
  console.log(`${machine()}; NODE_EXTRA_CA_CERTS unset for what is measured\n`)
  let code = 0
  for (const selection of selections) {
    if (!(await runFile(selection, request.repetitions))) code = 1
  }
  return code
}

function parse(args: readonly string[]): Request | string {
  const names: string[] = []
  let repetitions: number | undefined
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const match = /^--repetitions(?:=(.*))?$/.exec(arg)
    if (match !== null) {
      const value = match[1] ?? args[++index] ?? ''
      if (!/^[1-9]\d{0,5}$/.test(value)) return '--repetitions needs a whole number above 0'
      repetitions = Number(value)
    } else if (arg.startsWith('-')) return `unknown option ${arg}`
    else names.push(arg)
  }
  return { names, repetitions }
}

function refuse(reason: string): number {
  process.stderr.write(`bench: ${reason}\n`)
  return 2
}

async function list(): Promise<number> {
  for (const [file, load] of Object.entries(files)) {
    for (const { name, question } of (await load()).cases) {
      console.log(`${`${file}/${name}`.padEnd(24)} ${question}`)
    }
  }
  return 0
}

async function select(names: readonly string[]): Promise<Selection[] | string> {
  const known: string[] = []
  const selections: Selection[] = []
  for (const [file, load] of Object.entries(files)) {
    const all = (await load()).cases
    known.push(file, ...all.map(({ name }) => `${file}/${name}`))
    const cases = all.filter(
      ({ name }) => names.length === 0 || names.includes(file) || names.includes(`${file}/${name}`),
    )
    if (cases.length > 0) selections.push({ file, cases, known: all.map(({ name }) => name) })
  }
  const stranger = names.find((name) => !known.includes(name))
  if (stranger === undefined) return selections
  return `unknown name ${stranger}; the names are ${known.join(', ')}`
}

/** Whether everything that was to be measured ran. */
async function runFile({ file, cases, known }: Selection, repetitions?: number): Promise<boolean> {
  const results: CaseResult[] = []
  let isComplete = true
  for (const benchCase of cases) {
    const run = await runNamed(file, benchCase, repetitions)
    results.push({ ...caseData(benchCase, run), machine: machine(), at: new Date().toISOString() })
    console.log(caseReport(`${file}/${benchCase.name}`, benchCase, run) + busyNote())
    if (run.variants.some(({ measured }) => 'failure' in measured)) isComplete = false
  }
  keepResults(path.join(benchFolder(), 'results', `${file}.json`), results, known)
  return isComplete
}

async function runNamed(file: string, benchCase: Case, repetitions?: number): Promise<CaseRun> {
  const progress = createProgress(process.stderr)
  const title = `${file}/${benchCase.name}`
  try {
    return await runCase(benchCase, {
      repetitions: repetitions ?? benchCase.repetitions,
      functionCommand: (variant, scratch) => [
        process.execPath,
        self,
        '--function',
        title,
        variant,
        scratch,
      ],
      onProgress: (done, total, variant) =>
        progress.show(`${title} ${done + 1}/${total} ${variant}`),
      place: {
        node: process.execPath,
        repository: path.dirname(benchFolder()),
        program: (name, ...args) => [process.execPath, self, '--program', name, ...args],
        pipeline: (script, ...args) => ['bash', '-o', 'pipefail', '-c', script, 'bench', ...args],
      },
    })
  } finally {
    progress.clear()
  }
}

async function runProgram(target: string, args: readonly string[]): Promise<number> {
  const [file = '', name = ''] = target.split('/')
  const program = (await files[file]?.())?.programs?.[name]
  if (program === undefined) return refuse(`unknown program ${target}`)
  await program(args)
  return Number(process.exitCode ?? 0)
}

async function runFunction(target: string, rest: readonly string[]): Promise<number> {
  const [file = '', name = ''] = target.split('/')
  const [variantName, scratch = ''] = rest
  const found = (await files[file]?.())?.cases.find((benchCase) => benchCase.name === name)
  const variant = found?.variants.find((candidate) => candidate.name === variantName)
  if (variant === undefined || !isFunctionVariant(variant)) return refuse(`unknown ${target}`)
  await reportFunction(variant, scratch)
  return 0
}

/** On Ctrl+C, a kill or a closed pipe: nothing keeps running and no scratch folder stays. */
function endCleanly(): void {
  const end = (code: number): void => {
    stopRunning()
    removeScratch()
    process.exit(code)
  }
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      process.stderr.write('\nbench: stopped\n')
      end(code)
    })
  }
  process.stdout.once('error', () => end(1))
  process.stderr.once('error', () => end(1))
}

function machine(): string {
  const cores = os.cpus().length
  return `Node ${process.version}, ${os.type()} ${os.release()}, ${cores} cores, load ${load()}`
}

function load(): string {
  return (os.loadavg()[0] ?? 0).toFixed(1)
}

function busyNote(): string {
  if (Number(load()) <= os.cpus().length) return ''
  return `  The machine is busy (load ${load()}): trust CPU time before wall time and rates.\n`
}

/** run-ts.mjs sets the entry's own path as the program. */
function benchFolder(): string {
  return path.dirname(process.argv[1] ?? 'bench/main.ts')
}
