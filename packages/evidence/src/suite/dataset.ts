// Datasets as missions: CSV, JSONL and YAML files whose rows become missions, and folders of Harbor
// tasks.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { reasonOf } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { nearestName } from '@zee/core/spelling'
import { evidenceError } from '../errors/errors.ts'
import { parseCsv } from './csv.ts'
import { harborMissions } from './harbor.ts'
import type { YamlParser } from './suite.ts'

type Row = Readonly<Record<string, unknown>>

export interface DatasetSource {
  /** The folder of the suite file. */
  baseFolder: string
  /** The name of the suite file, for errors. */
  name: string
  loadYaml: () => Promise<YamlParser>
}

/** The missions of `{from, map}`. */
export async function datasetMissions(
  { from, map }: Row,
  source: DatasetSource,
): Promise<unknown[]> {
  if (typeof from !== 'string') throw problem(source, 'missions.from must be a file or a folder')
  if (map !== undefined && !isObject(map)) throw problem(source, 'missions.map must be an object')
  const file = path.resolve(source.baseFolder, from)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw problem(source, `missions.from: ${from} does not exist`)
  if (stats.isDirectory()) {
    if (map !== undefined) throw problem(source, 'missions.map does not apply to Harbor tasks')
    const missions = harborMissions(file, from, readdirSync(file).sort())
    if (missions.length > 0) return missions
    throw problem(source, `missions.from: ${from} has no folder with a task.toml`)
  }
  const rows = await readRows(file, from, source)
  if (rows.length === 0) throw problem(source, `missions.from: ${from} has no row`)
  const nameless = map === undefined && !rows.some(isNamed)
  if (nameless) throw problem(source, `missions.from: ${from} ${namelessWords}`)
  return rows.map((row, index) => missionOf(row, index, mapFor(row, map), source))
}

async function readRows(file: string, from: string, source: DatasetSource): Promise<Row[]> {
  const text = readBoundedText(file, { maxBytes: 256 << 20 }).replace(/^\uFEFF/, '')
  let rows: unknown
  try {
    if (/\.csv$/i.test(from)) rows = parseCsv(text)
    else if (/\.jsonl$|\.ndjson$/i.test(from)) rows = parseJsonLines(text)
    else {
      const { value } = (await source.loadYaml())(text)
      rows = isObject(value) ? value.missions : value
    }
  } catch (error) {
    throw problem(source, `${from}: ${reasonOf(error)}`)
  }
  if (Array.isArray(rows) && rows.every(isObject)) return rows
  throw problem(source, `${from} is not a list of objects`)
}

function parseJsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as unknown]
    } catch (error) {
      throw new Error(`line ${index + 1} is not JSON: ${reasonOf(error)}`, { cause: error })
    }
  })
}

const idColumns = ['missionId', 'id', 'name']
const promptColumns = ['prompt', 'question', 'input', 'instruction']
const answerColumns = ['answer', 'expected', 'target', 'ideal']
const objectColumns = ['expects', 'tags', 'workspace', 'verify', 'score', 'judge', 'container']
const plainColumns = ['timeoutMs', 'isolation', 'network']

const namelessWords = `has none of the columns ${[...idColumns, ...promptColumns].join(', ')}; name its columns with missions.map`

/** Whether a row says by itself which mission it is, or what the agent is asked. */
function isNamed(row: Row): boolean {
  return [...idColumns, ...promptColumns].some((name) => Object.hasOwn(row, name))
}

/**
 * The map, completed by the usual columns for the id and the prompt. Without a map, other columns count
 * by their usual names too.
 */
function mapFor(row: Row, map: Row | undefined): Row {
  const first = (names: readonly string[]) => names.find((name) => Object.hasOwn(row, name))
  const pair = (key: string, names: readonly string[]): Row => {
    const name = first(names)
    return name === undefined ? {} : { [key]: name }
  }
  if (map !== undefined) {
    // Names may repeat, so that they are no ids unless the map says so.
    const ids = idColumns.filter((name) => name !== 'name')
    return { ...pair('missionId', ids), ...pair('prompt', promptColumns), ...map }
  }
  const answer = first(answerColumns)
  const objects = objectColumns.filter((key) => isObject(row[key]) || Array.isArray(row[key]))
  const plain = plainColumns.filter((key) => Object.hasOwn(row, key) && row[key] !== '')
  return {
    ...pair('missionId', idColumns),
    ...pair('prompt', promptColumns),
    ...(answer === undefined ? {} : { score: { exact: answer } }),
    ...Object.fromEntries([...objects, ...plain].map((key) => [key, key])),
  }
}

function missionOf(row: Row, index: number, map: Row, source: DatasetSource): unknown {
  const made = mapped(map, row, source)
  const mission = isObject(made) ? made : {}
  const { missionId = `row-${String(index + 1).padStart(3, '0')}`, ...others } = mission
  const prompt = others.prompt === undefined ? {} : { prompt: asText(others.prompt) }
  return { missionId: asText(missionId), ...others, ...prompt }
}

/** Keys whose text may be meant as it is: it need not be the name of a column. */
const literalKeys: ReadonlySet<string> = new Set([
  ...['path', 'git', 'rev', 'archive', 'retain', 'command', 'files', 'provider', 'model', 'rubric'],
  ...['regex', 'isolation', 'network', 'type', 'pattern', 'image', 'engine', 'tags', 'jsonPath'],
  ...['requireCommandPrefix', 'requireToolOps', 'requireMCPTool', 'hookCommand', 'expose'],
  ...['requiredJsonPointers', 'nonEmptyJsonPointers', 'placeholderValues'],
  ...['boilerplateMcpTools', 'boilerplateCommandPrefixes', 'upstream', 'env', 'protocol'],
])

/** Keys of numbers and booleans: the cells of CSV are texts. */
const numberKeys: ReadonlySet<string> = new Set([
  ...['value', 'within', 'relative', 'timeoutMs', 'votes', 'maxBytes', 'hookTimeoutMs'],
  ...['maxToolCallsTotal', 'maxFailuresTotal', 'maxTimeoutsTotal', 'maxRepeatStreak'],
  ...['minMeaningfulFields', 'maxMeaningfulFieldsForBoilerplate'],
])
const booleanKeys: ReadonlySet<string> = new Set(['ok', 'suspiciousBoilerplate'])

/** Replaces each text of the map: `{{column}}` inside a text, or the name of a column alone. */
function mapped(map: unknown, row: Row, source: DatasetSource, key = ''): unknown {
  if (Array.isArray(map)) return map.map((each) => mapped(each, row, source, key))
  if (isObject(map)) {
    return Object.fromEntries(
      Object.entries(map).map(([name, each]) => [name, mapped(each, row, source, name)]),
    )
  }
  if (typeof map !== 'string') return map
  if (map.includes('{{')) {
    return map.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, column: string) =>
      asText(cellOf(column, row, source)),
    )
  }
  if (literalKeys.has(key) && !Object.hasOwn(row, map)) return map
  const cell = cellOf(map, row, source)
  if (booleanKeys.has(key)) return asBoolean(cell)
  return numberKeys.has(key) ? asNumber(cell) : cell
}

/** A text that is no number is left to the schema of the suite, which refuses it. */
function asNumber(cell: unknown): unknown {
  if (typeof cell !== 'string' || cell.trim() === '') return cell
  const number = Number(cell)
  return Number.isFinite(number) ? number : cell
}

function asBoolean(cell: unknown): unknown {
  const word = typeof cell === 'string' ? cell.trim().toLowerCase() : cell
  return word === 'true' || word === 'false' ? word === 'true' : cell
}

function cellOf(column: string, row: Row, source: DatasetSource): unknown {
  if (Object.hasOwn(row, column)) return row[column]
  const nearest = nearestName(column, Object.keys(row))
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  throw problem(source, `missions.map: there is no column ${column}${hint}`)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function problem({ name }: DatasetSource, message: string): Error {
  return evidenceError('ZCL_E_CONTRACT', `${name}: ${message}`)
}
