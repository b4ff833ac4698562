// Reads what the user gives: YAML or JSON files such as suites, and standard input.
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { readBoundedInput } from '@zee/core/bounded-input'
import { fileError, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { SemanticRules } from '@zee/evidence/expect'
import { parseSuite, type Suite, type YamlParser } from '@zee/evidence/suite'
import { zclError } from '../errors/errors.ts'

export { fileAt } from './file-at.ts'

export interface SampleFlags {
  sample: number | undefined
  seed: number
}

/** The suite in `file`, normalised, with a sample of its missions if one is asked for. */
export async function readSampledSuite(
  file: string,
  cwd: string,
  { sample, seed }: SampleFlags,
): Promise<Suite> {
  const suite = await readSuiteFile(file, cwd)
  if (sample === undefined) return suite
  const { sampleMissions } = await import('./sample.ts')
  return sampleMissions(suite, sample, seed)
}

/** The suite in `file`, normalised. */
export async function readSuiteFile(file: string, cwd: string): Promise<Suite> {
  const baseFolder = path.dirname(path.resolve(cwd, file))
  const suite = await parseSuite(await readText(file, cwd), file, loadYaml, baseFolder)
  if (hasJudge(suite)) {
    const { requireUsableJudges } = await import('./judges.ts')
    await requireUsableJudges(suite, baseFolder, file)
  }
  return suite
}

function hasJudge({ judge, defaults, missions }: Suite): boolean {
  return [{ judge }, defaults, ...missions].some((each) => each?.judge !== undefined)
}

/** The semantic rules in `file`. The checks are loaded only here, because few commands need them. */
export async function readRulesFile(file: string, cwd: string): Promise<SemanticRules> {
  const { readSemanticRules } = await import('@zee/evidence/expect')
  const source = await readText(file, cwd)
  let value: unknown
  try {
    value = (await loadYaml())(source).value
  } catch (error) {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is not YAML: ${reasonOf(error)}`, error)
  }
  return readSemanticRules(value, file)
}

/** The content of `file`, resolved from `cwd`. */
export async function readText(file: string, cwd: string): Promise<string> {
  try {
    const bytes = readBoundedFile(path.resolve(cwd, file), { maxBytes: maxInputBytes })
    return bytes.toString('utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
}

const maxInputBytes = 64 << 20

/** Standard input, up to 64 MiB. */
export async function readInput({ stdin }: Pick<Host, 'stdin'>): Promise<string> {
  return readBoundedInput(stdin, maxInputBytes)
}

/** Loads the YAML parser, which most commands never need. */
export async function loadYaml(): Promise<YamlParser> {
  const { isAlias, isCollection, isMap, isScalar, LineCounter, parseDocument } =
    await import('yaml')
  return (source) => {
    const lines = new LineCounter()
    const document = parseDocument(source, {
      schema: 'core',
      lineCounter: lines,
      logLevel: 'error',
    })
    const [error] = document.errors
    if (error?.code === 'MULTIPLE_DOCS') throw new Error('it holds more than one document')
    if (error !== undefined) throw isStackExhausted(error) ? nestsTooDeep() : error
    const value: unknown = document.toJS({ maxAliasCount: maxAliases(source) })
    if (containsItself(value)) throw new Error('a list or an object contains itself')
    const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node)
    const childOf = (node: unknown, key: string | number) =>
      isCollection(node) ? resolved(node.get(key, true)) : undefined
    return {
      value,
      lineOf: (path) => {
        const parent = path.slice(0, -1).reduce<unknown>(childOf, document.contents)
        const last = String(path.at(-1))
        const pair = isMap(parent)
          ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === last)
          : undefined
        const node = pair?.key ?? (isCollection(parent) ? parent : undefined)
        const offset = (node as { range?: readonly number[] | null } | undefined)?.range?.[0]
        return offset === undefined ? undefined : lines.linePos(offset).line
      },
    }
  }
}

/** An alias repeats at most the whole source, so this bounds the size of the value. */
function maxAliases(source: string): number {
  return Math.max(100, Math.floor(maxInputBytes / (source.length + 1)))
}

/** Whether an alias refers to a list or an object around it. */
function containsItself(
  value: unknown,
  around: ReadonlySet<unknown> = new Set(),
  checked = new Set<unknown>(),
): boolean {
  if (typeof value !== 'object' || value === null || checked.has(value)) return false
  if (around.has(value)) return true
  const inner = new Set(around).add(value)
  const found = Object.values(value).some((each) => containsItself(each, inner, checked))
  checked.add(value)
  return found
}

/** The parser reports an exhausted stack as an error at a line of the file. */
function isStackExhausted({ message }: Error): boolean {
  return message.startsWith('Maximum call stack')
}

function nestsTooDeep(): Error {
  return new Error('it nests too deep')
}
