// How exact `references` is: its lines compared with those of TypeScript's language service, for the exported functions
// of corpus, or of the folder that ZEE_BENCH_SOURCE names. All definitions of a name count, because a request gives only
// the name.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import type { Case } from './harness/case.ts'
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
const maxNames = 200

export const cases: readonly Case[] = [
  {
    name: 'agreement',
    question: "how well do references by name agree with TypeScript's language service?",
    repetitions: 1,
    async prepare(scratch) {
      storeRepository(scratch)
      const agreement = await measure(scratch)
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
  return withServer(scratch, folder, async (server) => {
    const sums = { expected: 0, found: 0, both: 0, kinds: 0, kindsBoth: 0 }
    for (const [name, places] of definitions) {
      const expected = new Set(places.flatMap((place) => linesOf(service, place, folder)))
      const answer = await server.ask('references', { name, glob: '**/*.ts', max: 10_000 })
      const found = answer.references as Reference[]
      const isExpected = ({ path: file, line }: Reference): boolean =>
        expected.has(`${file}:${line}`)
      const classified = found.filter(({ kind }) => kind !== 'other')
      sums.expected += expected.size
      sums.found += found.length
      sums.both += found.filter(isExpected).length
      sums.kinds += classified.length
      sums.kindsBoth += classified.filter(isExpected).length
    }
    return {
      names: definitions.length,
      lines: sums.expected,
      precision: (100 * sums.both) / sums.found,
      precisionOfKinds: (100 * sums.kindsBoth) / sums.kinds,
      recall: (100 * sums.both) / sums.expected,
    }
  })
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
