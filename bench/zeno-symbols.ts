// Speed of extract_symbols per language, on a repeated page of source and on real sources, and its
// recall compared with universal-ctags (harness/ctags.ts lists which definitions count). Real
// sources are this project's modules, the system's own, and <temporary
// folder>/zee-symbol-sources/<language>. A language without real sources is skipped.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openCorpus } from '@zee/corpus'
import type { Case, FunctionVariant, Goal } from './harness/case.ts'
import { ctagsVersion, definitionsIn } from './harness/ctags.ts'
import type { Definition } from './harness/ctags.ts'
import { sampleOf, sampledLanguages } from './harness/source-samples.ts'

const repository = path.dirname(path.dirname(process.argv[1] ?? 'bench/main.ts'))
/** Large enough that the warm-up of a fresh process is a small part of the run. */
const sampleMegabytes = 48
const maxFiles = 300
const maxBytes = 400_000
const goalPerSecond = 50
const goalPercent = 85

interface Sources {
  language: string
  folders: readonly string[]
  files: RegExp
  extension: string
  /** The ctags language, where the extension is ambiguous. */
  as?: string
}

const modules = path.join(repository, 'node_modules')
const linux = ['/usr/src/linux-source-6.1', '/var/tmp/zee-bench/linux-source-6.1']
const extraSources = (language: string): string =>
  path.join(os.tmpdir(), 'zee-symbol-sources', language)

const sources: readonly Sources[] = [
  {
    language: 'typescript',
    extension: 'ts',
    folders: [path.join(repository, 'packages'), modules],
    files: /(?<!\.d)\.[mc]?tsx?$/,
    as: 'TypeScript',
  },
  { language: 'javascript', extension: 'js', folders: [modules], files: /\.[mc]?jsx?$/ },
  {
    language: 'python',
    extension: 'py',
    folders: [extraSources('python'), '/usr/lib/python3.11'],
    files: /\.py$/,
  },
  {
    language: 'go',
    extension: 'go',
    folders: [extraSources('go'), '/usr/local/go/src', '/usr/lib/go'],
    files: /\.go$/,
  },
  {
    language: 'rust',
    extension: 'rs',
    folders: [extraSources('rust'), path.join(os.homedir(), '.cargo')],
    files: /\.rs$/,
  },
  { language: 'java', extension: 'java', folders: [extraSources('java')], files: /\.java$/ },
  { language: 'kotlin', extension: 'kt', folders: [extraSources('kotlin')], files: /\.kt$/ },
  {
    language: 'c',
    extension: 'c',
    folders: [extraSources('c'), ...linux.map((root) => `${root}/fs`)],
    files: /\.c$/,
  },
  {
    language: 'cpp',
    extension: 'cpp',
    folders: [extraSources('cpp'), '/usr/src/googletest'],
    files: /\.(?:cc|cpp|hpp|h)$/,
    as: 'C++',
  },
  { language: 'csharp', extension: 'cs', folders: [extraSources('csharp')], files: /\.cs$/ },
  {
    language: 'ruby',
    extension: 'rb',
    folders: [extraSources('ruby'), '/usr/lib/ruby'],
    files: /\.rb$/,
  },
  {
    language: 'php',
    extension: 'php',
    folders: [extraSources('php'), '/usr/share/php'],
    files: /\.php$/,
  },
  {
    language: 'shell',
    extension: 'sh',
    folders: [extraSources('shell'), '/usr/share', '/usr/lib'],
    files: /\.sh$/,
  },
]

export const cases: readonly Case[] = [samplesCase(), realCase()]

function samplesCase(): Case {
  const name = (language: string): string => `extract_symbols, ${language}`
  return {
    name: 'symbols',
    question: `how fast are symbols extracted from ${sampleMegabytes} MB of each language?`,
    repetitions: 3,
    prepare(scratch) {
      for (const language of sampledLanguages) writeSample(scratch, language)
    },
    variants: sampledLanguages.map((language): FunctionVariant => ({
      name: name(language),
      unit: 'MB',
      run: (scratch) => findIn(scratch, sampleFile(language), 'outline'),
    })),
    goals: sampledLanguages.map((language) => rateGoal(name(language))),
  }
}

/** Each run is a fresh process and includes the cold start of the scanner. */
function realCase(): Case {
  const isOwn = (folder: string): boolean => folder.startsWith(repository)
  const present = sources.filter(({ folders }) => {
    return folders.some((folder) => isOwn(folder) || existsSync(folder))
  })
  const name = ({ language }: Sources): string => `detail all, ${language}`
  return {
    name: 'real',
    question: `how fast are all symbols of ${maxFiles} real files extracted?`,
    repetitions: 3,
    async prepare(scratch) {
      for (const one of present) {
        const files = filesOf(one)
        writeReal(scratch, one, files)
        await reportRecall(one, files)
      }
    },
    variants: present.map((one): FunctionVariant => ({
      name: name(one),
      unit: 'MB',
      run: (scratch) => findIn(scratch, realFile(one), 'all'),
    })),
    goals: present.map((one) => rateGoal(name(one))),
  }
}

function realFile({ language, extension }: Sources): string {
  return `${language}.${extension}`
}

/** Repeats the concatenated files in one file: opening many files would dominate the time. */
function writeReal(scratch: string, one: Sources, files: readonly string[]): void {
  const text = Buffer.concat(files.map((file) => readFileSync(file)))
  const copies = Math.ceil((sampleMegabytes * 1_000_000) / Math.max(1, text.length))
  writeFileSync(
    path.join(scratch, realFile(one)),
    Buffer.concat(Array.from({ length: copies }, () => text)),
  )
}

function rateGoal(variant: string): Goal {
  return { variant, figure: 'rate', atLeast: goalPerSecond }
}

function sampleFile(language: string): string {
  return `sample.${sampleOf(language).extension}`
}

function writeSample(scratch: string, language: string): void {
  const { text } = sampleOf(language)
  const copies = Math.ceil((sampleMegabytes * 1_000_000) / text.length)
  writeFileSync(path.join(scratch, sampleFile(language)), text.repeat(copies))
}

async function findIn(scratch: string, file: string, detail: 'outline' | 'all'): Promise<number> {
  const corpus = openCorpus(scratch)
  const found = await corpus.symbols({ path: file, detail, max_symbols: 10_000_000 })
  await corpus.close()
  if (found.symbols.length === 0) throw new Error(`no symbols in ${file}`)
  return found.metrics.bytes_read / 1_000_000
}

/** The extracted names per file. */
async function namesOf(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const corpus = openCorpus('/')
  const names = new Map<string, Set<string>>()
  for (const file of files) {
    const args = { path: file, detail: 'all', max_symbols: 10_000_000 } as const
    const { symbols } = await corpus.symbols(args)
    // ctags omits the # of private names.
    names.set(file, new Set(symbols.map(({ name }) => name.replace(/^#/, ''))))
  }
  await corpus.close()
  return names
}

async function reportRecall(one: Sources, files: readonly string[]): Promise<void> {
  const version = ctagsVersion()
  if (version === undefined || files.length === 0) return
  const wanted = definitionsIn(one.language, files, one.as)
  const found = await countFound(files, wanted)
  const percent = (found / wanted.length) * 100
  const verdict = percent >= goalPercent ? 'held' : 'MISSED'
  const share = `${percent.toFixed(1)} % of ${wanted.length} definitions by ctags`
  process.stdout.write(`${one.language}: found ${share} in ${files.length} files, ${verdict}\n`)
}

async function countFound(
  files: readonly string[],
  wanted: readonly Definition[],
): Promise<number> {
  const names = await namesOf(files)
  return wanted.filter(({ file, name }) => names.get(file)?.has(name) === true).length
}

/** Returns at most maxFiles files, spread evenly over the folders. */
function filesOf(one: Sources): string[] {
  const all: string[] = []
  for (const folder of one.folders) if (existsSync(folder)) gather(folder, one.files, all)
  const step = Math.max(1, Math.floor(all.length / maxFiles))
  return all.filter((_, index) => index % step === 0).slice(0, maxFiles)
}

const maxGathered = 6000

function gather(folder: string, wanted: RegExp, into: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (into.length >= maxGathered) return
    const entryPath = path.join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) gather(entryPath, wanted, into)
    else if (entry.isFile() && wanted.test(entry.name) && isSource(entryPath)) into.push(entryPath)
  }
}

/** Excludes minified and generated files. */
function isSource(file: string): boolean {
  if (/\.min\./.test(file) || statSync(file).size > maxBytes) return false
  return !readFileSync(file, 'latin1')
    .slice(0, 5000)
    .split('\n')
    .some((line) => line.length > 1000)
}
