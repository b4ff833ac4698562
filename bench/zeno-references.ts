// How exact `references` is: its lines compared with those of TypeScript's language service, for the exported functions
// of corpus, or of the folder that ZEE_BENCH_SOURCE names. All definitions of a name count, because a request gives only
// the name. ZEE_BENCH_SERVER names a language server instead, such as `gopls` or `pyright-langserver --stdio`; then the
// names are those of exported functions in Go or Python files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { Case } from './harness/case.ts'
import { LanguageServer } from './harness/language-server.ts'
import type { Place } from './harness/language-server.ts'
import type { Server } from './harness/zeno-server.ts'
import { repositoryOf, storeRepository, withServer } from './harness/zeno-server.ts'

/** Shares of lines, in percent. */
interface Agreement {
  names: number
  lines: number
  /** Of the lines with the name, in comments and strings too. */
  precision: number
  /** Of the lines that `references` calls a definition, an import or a call. */
  precisionOfKinds: number
  recall: number
}

interface Definition {
  file: string
  offset: number
}

interface Reference {
  path: string
  line: number
  kind: string
}

const source = process.env.ZEE_BENCH_SOURCE ?? 'packages/corpus/src'
const languageServer = process.env.ZEE_BENCH_SERVER
const maxNames = 200

/** Exported functions of the languages whose servers are compared: the name is the first group. */
const languages = [
  { id: 'go', extension: '.go', functions: /^func ([A-Z]\w{2,})/gm },
  { id: 'python', extension: '.py', functions: /^(?:async )?def ([a-z]\w{2,})/gm },
]

export const cases: readonly Case[] = [
  {
    name: 'agreement',
    question: 'how well do references by name agree with a language server?',
    repetitions: 1,
    async prepare(scratch) {
      storeRepository(scratch)
      const agreement = await (languageServer === undefined
        ? measure(scratch)
        : measureServer(scratch, languageServer))
      console.log(JSON.stringify(agreement))
      writeFileSync(path.join(scratch, 'agreement.json'), JSON.stringify(agreement))
    },
    variants: (['precision', 'precisionOfKinds', 'recall'] as const).map((name) => ({
      name,
      unit: '%',
      run: (scratch) => {
        const text = readFileSync(path.join(scratch, 'agreement.json'), 'utf8')
        return (JSON.parse(text) as Agreement)[name]
      },
    })),
    goals: [{ variant: 'recall', figure: 'amount', atLeast: 95 }],
  },
]

async function measure(scratch: string): Promise<Agreement> {
  const folder = path.join(repositoryOf(scratch), source)
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file))
  const service = languageService(files)
  const definitions = [...exportedFunctions(service, files)].slice(0, maxNames)
  const expected = new Map(
    definitions.map(([name, places]) => [
      name,
      new Set(places.flatMap((place) => linesOf(service, place, folder))),
    ]),
  )
  return withServer(scratch, folder, (server) => compare(server, expected, '**/*.ts'))
}

/** Compares the lines that `references` finds with the expected ones of each name. */
async function compare(
  server: Server,
  lines: ReadonlyMap<string, ReadonlySet<string>>,
  glob: string,
): Promise<Agreement> {
  const sums = { expected: 0, found: 0, both: 0, kinds: 0, kindsBoth: 0 }
  for (const [name, expected] of lines) {
    const answer = await server.ask('references', { name, glob, max: 10_000 })
    const found = answer.references as Reference[]
    const isExpected = ({ path: file, line }: Reference): boolean => expected.has(`${file}:${line}`)
    const classified = found.filter(({ kind }) => kind !== 'other')
    sums.expected += expected.size
    sums.found += found.length
    sums.both += found.filter(isExpected).length
    sums.kinds += classified.length
    sums.kindsBoth += classified.filter(isExpected).length
  }
  return {
    names: lines.size,
    lines: sums.expected,
    precision: (100 * sums.both) / sums.found,
    precisionOfKinds: (100 * sums.kindsBoth) / sums.kinds,
    recall: (100 * sums.both) / sums.expected,
  }
}

async function measureServer(scratch: string, command: string): Promise<Agreement> {
  const folder = path.resolve(repositoryOf(scratch), source)
  const names = readdirSync(folder, { recursive: true }) as string[]
  const count = ({ extension }: { extension: string }): number =>
    names.filter((name) => name.endsWith(extension)).length
  const [language] = languages.toSorted((one, other) => count(other) - count(one))
  if (language === undefined) throw new Error('there is no language')
  const files = names.filter((name) => name.endsWith(language.extension)).toSorted()
  const definitions = functionsIn(folder, files, language.functions)
  // Names from the entire folder: the first files would be tests or one package.
  const step = Math.max(1, Math.floor(definitions.size / maxNames))
  const chosen = [...definitions].filter((_, at) => at % step === 0).slice(0, maxNames)
  const client = new LanguageServer(command, folder)
  const expected = new Map<string, Set<string>>()
  try {
    await client.start(folder)
    for (const [name, places] of chosen) {
      const found = new Set<string>()
      for (const place of places) {
        for (const one of await client.references(place, language.id)) {
          const [uri = '', line] = one.split('#')
          const file = path.relative(folder, fileURLToPath(uri))
          if (!file.startsWith('..')) found.add(`${file}:${line}`)
        }
      }
      expected.set(name, found)
    }
  } finally {
    client.stop()
  }
  return withServer(scratch, folder, (server) =>
    compare(server, expected, `**/*${language.extension}`),
  )
}

/** The places of every function, by name. */
function functionsIn(
  folder: string,
  files: readonly string[],
  functions: RegExp,
): Map<string, Place[]> {
  const places = new Map<string, Place[]>()
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8')
    for (const match of text.matchAll(functions)) {
      const name = match[1] ?? ''
      const before = text.slice(0, match.index + match[0].length - name.length)
      const line = before.split('\n').length - 1
      const character = before.length - before.lastIndexOf('\n') - 1
      const place = { file: path.join(folder, file), line, character }
      places.set(name, [...(places.get(name) ?? []), place])
    }
  }
  return places
}

function languageService(files: readonly string[]): ts.LanguageService {
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
  }
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => path.dirname(files[0] ?? '.'),
    getDefaultLibFileName: () => 'lib.d.ts',
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  })
}

/** The definitions of every exported function, by name. */
function exportedFunctions(
  service: ts.LanguageService,
  files: readonly string[],
): Map<string, Definition[]> {
  const definitions = new Map<string, Definition[]>()
  const program = service.getProgram()
  for (const file of files.toSorted()) {
    for (const statement of program?.getSourceFile(file)?.statements ?? []) {
      if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) continue
      if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true)
        continue
      const { text } = statement.name
      const place = { file, offset: statement.name.getStart() }
      definitions.set(text, [...(definitions.get(text) ?? []), place])
    }
  }
  return definitions
}

/** `path:line` of each reference in the folder, the definition included. */
function linesOf(
  service: ts.LanguageService,
  { file, offset }: Definition,
  folder: string,
): string[] {
  const found = service.findReferences(file, offset) ?? []
  return found.flatMap(({ references }) =>
    references.flatMap(({ fileName, textSpan }) => {
      if (!fileName.startsWith(`${folder}/`)) return []
      const text = service.getProgram()?.getSourceFile(fileName)
      const line = text?.getLineAndCharacterOfPosition(textSpan.start).line ?? 0
      return `${path.relative(folder, fileName)}:${line + 1}`
    }),
  )
}
