// node build/docs-performance.mjs: puts the tables of the last bench runs (bench/results) into
// docs/performance.md. Not part of any check: figures are from one machine at one time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

/**
 * @typedef {{ cpu: number, wall: number, rss?: number, rate?: number }} Figures
 * @typedef {{ name: string, failure?: string, figures?: Figures }} Variant
 * @typedef {{ name: string, question: string, variants: Variant[], bars?: { text: string }[] }} Case
 */

const marks = { begin: '<!-- bench -->', end: '<!-- /bench -->' }
const results = path.join(repository, 'bench/results')
const page = path.join(repository, 'docs/performance.md')

const text = readFileSync(page, 'utf8')
const [head = '', rest = ''] = text.split(marks.begin)
const [, tail = ''] = rest.split(marks.end)
const tables = readdirSync(results)
  .filter((name) => name.endsWith('.json'))
  .map((name) => section(path.basename(name, '.json')))
writeFileSync(page, `${head}${marks.begin}\n\n${tables.join('\n')}\n${marks.end}${tail}`)

/** @param {string} name */
function section(name) {
  const { machine, at, cases } = JSON.parse(
    readFileSync(path.join(results, `${name}.json`), 'utf8'),
  )
  const shown = /** @type {Case[]} */ (cases).map((each) => caseTable(name, each))
  return `### ${name}\n\n${machine}, ${at.slice(0, 10)}\n\n${shown.join('\n')}`
}

/**
 * @param {string} file
 * @param {Case} benchCase
 */
function caseTable(file, { name, question, variants, bars = [] }) {
  const base = variants[0]?.figures
  const rows = variants.map(({ name: variant, figures, failure }) =>
    figures === undefined
      ? [variant, failure ?? 'failed', '', '', '', '']
      : row(variant, figures, base),
  )
  const lines = [['variant', 'CPU ms', 'x', 'wall ms', 'x', 'MiB'], Array(6).fill('---'), ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const goals = bars.map(({ text: bar }) => `- ${bar}\n`).join('')
  return `**${file}/${name}**: ${question}\n\n${table}\n\n${goals}`
}

/**
 * @param {string} name
 * @param {Figures} own
 * @param {Figures | undefined} base
 */
function row(name, own, base) {
  return [
    name.replaceAll('|', '\\|'),
    number(own.cpu),
    ratio(own.cpu, base?.cpu),
    number(own.wall),
    ratio(own.wall, base?.wall),
    number(own.rss),
  ]
}

/** @param {number | undefined} value */
function number(value) {
  if (value === undefined) return ''
  return value >= 100 ? value.toFixed(0) : value.toFixed(value < 1 ? 2 : 1)
}

/**
 * @param {number} own
 * @param {number | undefined} base
 */
function ratio(own, base) {
  return base === undefined || base === 0 ? '' : (own / base).toFixed(2)
}
