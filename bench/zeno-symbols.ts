// extract_symbols: how fast it is per language, on a page of source repeated and on real sources, and how
// much of what universal-ctags calls a definition it finds (harness/ctags.ts says which count and why).
// Real sources are this project's modules, what the system has, and folders named after a language in
// zee-symbol-sources under the temporary folder; a language without any is left out.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openCorpus } from '@zee/corpus'
import type { Case, FunctionVariant } from './harness/case.ts'
import { ctagsVersion, definitionsIn } from './harness/ctags.ts'
import type { Definition } from './harness/ctags.ts'
import { sampleOf, sampledLanguages } from './harness/source-samples.ts'

const repository = path.dirname(path.dirname(process.argv[1] ?? 'bench/main.ts'))
/** What a fresh process needs to warm up is part of every run, but not half of it. */
const sampleMegabytes = 48
const mostFiles = 300
const mostBytes = 400_000
const wantedPerSecond = 50
const wantedPercent = 85

interface Sources {
  language: string
  folders: readonly string[]
  files: RegExp
  extension: string
  /** For ctags, where a file's name does not tell the language. */
  as?: string
}

const modules = path.join(repository, 'node_modules')
const linux = ['/usr/src/linux-source-6.1', '/var/tmp/zee-bench/linux-source-6.1']
const given = (language: string): string => path.join(os.tmpdir(), 'zee-symbol-sources', language)

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
    folders: [given('python'), '/usr/lib/python3.11'],
    files: /\.py$/,
  },
  {
    language: 'go',
    extension: 'go',
    folders: [given('go'), '/usr/local/go/src', '/usr/lib/go'],
    files: /\.go$/,
  },
  {
    language: 'rust',
    extension: 'rs',
    folders: [given('rust'), path.join(os.homedir(), '.cargo')],
    files: /\.rs$/,
  },
  { language: 'java', extension: 'java', folders: [given('java')], files: /\.java$/ },
  { language: 'kotlin', extension: 'kt', folders: [given('kotlin')], files: /\.kt$/ },
  {
    language: 'c',
    extension: 'c',
    folders: [given('c'), ...linux.map((root) => `${root}/fs`)],
    files: /\.c$/,
  },
  {
    language: 'cpp',
    extension: 'cpp',
    folders: [given('cpp'), '/usr/src/googletest'],
    files: /\.(?:cc|cpp|hpp|h)$/,
    as: 'C++',
  },
  { language: 'csharp', extension: 'cs', folders: [given('csharp')], files: /\.cs$/ },
  { language: 'ruby', extension: 'rb', folders: [given('ruby'), '/usr/lib/ruby'], files: /\.rb$/ },
  { language: 'php', extension: 'php', folders: [given('php'), '/usr/share/php'], files: /\.php$/ },
  {
    language: 'shell',
    extension: 'sh',
    folders: [given('shell'), '/usr/share', '/usr/lib'],
    files: /\.sh$/,
  },
]

export const cases: readonly Case[] = [samplesCase(), realCase()]

function samplesCase(): Case {
  const name = (language: string): string => `extract_symbols, ${language}`
  return {
    name: 'symbols',
    question: `how fast are symbols found in ${sampleMegabytes} MB of each language?`,
    repetitions: 3,
    prepare(scratch) {
      for (const language of sampledLanguages) writeSample(scratch, language)
    },
    variants: sampledLanguages.map((language): FunctionVariant => ({
      name: name(language),
      unit: 'MB',
      run: (scratch) => findIn(scratch, sampleFile(language), 'outline'),
    })),
    bars: sampledLanguages.map((language) => atLeastWanted(name(language))),
  }
}

/** Each run is a fresh process, so that the first pass over cold code is part of it. */
function realCase(): Case {
  const isOwn = (folder: string): boolean => folder.startsWith(repository)
  const present = sources.filter(({ folders }) => {
    return folders.some((folder) => isOwn(folder) || existsSync(folder))
  })
  const name = ({ language }: Sources): string => `detail all, ${language}`
  return {
    name: 'real',
    question: `how fast are all symbols of ${mostFiles} real files found, and how many of ctags'?`,
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
    bars: present.map((one) => atLeastWanted(name(one))),
  }
}

function realFile({ language, extension }: Sources): string {
  return `${language}.${extension}`
}

/** All files as one, over and over: opening them would be most of the time. */
function writeReal(scratch: string, one: Sources, files: readonly string[]): void {
  const text = Buffer.concat(files.map((file) => readFileSync(file)))
  const copies = Math.ceil((sampleMegabytes * 1_000_000) / Math.max(1, text.length))
  const place = path.join(scratch, realFile(one))
  writeFileSync(place, Buffer.concat(Array.from({ length: copies }, () => text)))
}

function atLeastWanted(variant: string): Case['bars'][number] {
  return { variant, figure: 'rate', atLeast: wantedPerSecond }
}

function sampleFile(language: string): string {
  return `sample.${sampleOf(language).extension}`
}

function writeSample(scratch: string, language: string): void {
  const { text } = sampleOf(language)
  const copies = Math.ceil((sampleMegabytes * 1_000_000) / text.length)
  writeFileSync(path.join(scratch, sampleFile(language)), text.repeat(copies))
}

async function findIn(scratch: string, file: string, detail: string): Promise<number> {
  const corpus = openCorpus(scratch)
  const found = await corpus.symbols({ path: file, detail, max_symbols: 10_000_000 })
  await corpus.close()
  if (found.symbols.length === 0) throw new Error(`no symbols in ${file}`)
  return found.metrics.bytes_read / 1_000_000
}

/** Names by file. */
async function namesOf(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const corpus = openCorpus('/')
  const names = new Map<string, Set<string>>()
  for (const file of files) {
    const args = { path: file, detail: 'all', max_symbols: 10_000_000 }
    const { symbols } = await corpus.symbols(args)
    // ctags leaves the mark of a private name out.
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
  const verdict = percent >= wantedPercent ? 'held' : 'MISSED'
  const share = `${percent.toFixed(1)} % of ${wanted.length} definitions of ctags`
  process.stdout.write(`${one.language}: ${share} in ${files.length} files found, ${verdict}\n`)
}

async function countFound(
  files: readonly string[],
  wanted: readonly Definition[],
): Promise<number> {
  const names = await namesOf(files)
  return wanted.filter(({ file, name }) => names.get(file)?.has(name) === true).length
}

/** Files spread evenly over everything there is. */
function filesOf(one: Sources): string[] {
  const all: string[] = []
  for (const folder of one.folders) if (existsSync(folder)) gather(folder, one.files, all)
  const step = Math.max(1, Math.floor(all.length / mostFiles))
  return all.filter((_, index) => index % step === 0).slice(0, mostFiles)
}

const mostGathered = 6000

function gather(folder: string, wanted: RegExp, into: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (into.length >= mostGathered) return
    const place = path.join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) gather(place, wanted, into)
    else if (entry.isFile() && wanted.test(entry.name) && isSource(place)) into.push(place)
  }
}

/** Not what a machine has packed or put together. */
function isSource(file: string): boolean {
  if (/\.min\./.test(file) || statSync(file).size > mostBytes) return false
  return !readFileSync(file, 'latin1')
    .slice(0, 5000)
    .split('\n')
    .some((line) => line.length > 1000)
}
