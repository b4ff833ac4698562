// npm run bench [-- name...]: runs the benchmarks in bench/<name>.ts and prints a table for each.
//
// Each case compares its variants with a floor or a peer in the same run. The variants run
// interleaved, A B C A B C ..., after a warm-up round, and the table shows ratios to the first
// variant. A row has CPU time (user and system, process tree, minimum), wall time (minimum and
// median), peak RSS (process tree) and, for functions, units per second. harness/measure-command.ts
// and harness/tree-memory.ts describe how CPU time and memory are measured. Measured processes run
// without NODE_EXTRA_CA_CERTS. The exit code is 1 only when a variant fails to run; a missed goal
// is only printed.
//
// To add a benchmark, write bench/<name>.ts with `cases` (harness/case.ts) and add it to `files`.
import os from 'node:os'
import path from 'node:path'
import { isFunctionVariant, type BenchFile, type Case } from './harness/case.ts'
import { stopRunning } from './harness/child.ts'
import { reportFunction } from './harness/measure-function.ts'
import { createProgress } from './harness/progress.ts'
import { caseData, caseReport } from './harness/report.ts'
import { storeResults, type CaseResult } from './harness/results.ts'
import { removeScratch, runCase, type CaseRun } from './harness/run-case.ts'

const files: Readonly<Record<string, () => Promise<BenchFile>>> = {
  start: () => import('./start.ts'),
  dashboard: () => import('./dashboard.ts'),
  journal: () => import('./journal.ts'),
  pages: () => import('./pages.ts'),
  peers: () => import('./peers.ts'),
  process: () => import('./process.ts'),
  'session-page': () => import('./session-page.ts'),
  statistics: () => import('./statistics/statistics.ts'),
  'zcl-compare': () => import('./zcl-compare.ts'),
  'zcl-funnels': () => import('./zcl-funnels.ts'),
  'zcl-lab': () => import('./zcl-lab.ts'),
  'zcl-workspaces': () => import('./zcl-workspaces.ts'),
  zdx: () => import('./zdx.ts'),
  'zdx-terminal': () => import('./zdx-terminal.ts'),
  'zdx-undo': () => import('./zdx-undo.ts'),
  'zino-mem': () => import('./zino-mem.ts'),
  zeno: () => import('./zeno.ts'),
  'zeno-ask': () => import('./zeno-ask.ts'),
  'zeno-build': () => import('./zeno-build.ts'),
  'zeno-fleet': () => import('./zeno-fleet.ts'),
  'zeno-history': () => import('./zeno-history.ts'),
  'zeno-http': () => import('./zeno-http.ts'),
  'zeno-index': () => import('./zeno-index.ts'),
  'zeno-locate': () => import('./zeno-locate.ts'),
  'zeno-peers': () => import('./zeno-peers.ts'),
  'zeno-references': () => import('./zeno-references.ts'),
  'zeno-symbols': () => import('./zeno-symbols.ts'),
  zino: () => import('./zino.ts'),
  zcl: () => import('./zcl.ts'),
}

const help = `usage: npm run bench -- [options] [name...]

Runs the named benchmarks, or all of them. A name is a file (journal) or a case (journal/read).

  --list             print the names and questions
  --repetitions <n>  number of samples per variant, instead of the case's default
  --help             print this text

Results are printed, and stored per case in bench/results/<file>.json.
`

interface Request {
  names: string[]
  repetitions?: number
}

interface Selection {
  file: string
  cases: readonly Case[]
  /** The names of all cases of the file. */
  names: readonly string[]
}

/** The path of this bundle, which child processes run for functions and small programs. */
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
  cleanUpOnSignals()
  console.log(`${machine()}; measured without NODE_EXTRA_CA_CERTS\n`)
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
  const rows: [name: string, question: string][] = []
  for (const [file, load] of Object.entries(files)) {
    for (const { name, question } of (await load()).cases) rows.push([`${file}/${name}`, question])
  }
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, question] of rows) console.log(`${name.padEnd(width)}  ${question}`)
  return 0
}

async function select(names: readonly string[]): Promise<Selection[] | string> {
  const allNames: string[] = []
  const selections: Selection[] = []
  for (const [file, load] of Object.entries(files)) {
    const all = (await load()).cases
    allNames.push(file, ...all.map(({ name }) => `${file}/${name}`))
    const cases = all.filter(
      ({ name }) => names.length === 0 || names.includes(file) || names.includes(`${file}/${name}`),
    )
    if (cases.length > 0) selections.push({ file, cases, names: all.map(({ name }) => name) })
  }
  const unknown = names.find((name) => !allNames.includes(name))
  if (unknown === undefined) return selections
  return `unknown name ${unknown}; the names are ${allNames.join(', ')}`
}

/** Returns false when a variant failed. */
async function runFile({ file, cases, names }: Selection, repetitions?: number): Promise<boolean> {
  const results: CaseResult[] = []
  let isComplete = true
  for (const benchCase of cases) {
    const run = await runNamed(file, benchCase, repetitions)
    results.push({ ...caseData(benchCase, run), machine: machine(), at: new Date().toISOString() })
    console.log(caseReport(`${file}/${benchCase.name}`, benchCase, run) + busyNote())
    if (run.variants.some(({ measured }) => 'failure' in measured)) isComplete = false
  }
  storeResults(path.join(benchFolder(), 'results', `${file}.json`), results, names)
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

/**
 * On Ctrl+C, a termination signal or a closed pipe, stops the measurement and removes the scratch
 * folder.
 */
function cleanUpOnSignals(): void {
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
  return `  The machine is busy (load ${load()}): trust CPU time more than wall time and rates.\n`
}

/** run-ts.mjs sets process.argv[1] to the path of the entry. */
function benchFolder(): string {
  return path.dirname(process.argv[1] ?? 'bench/main.ts')
}
