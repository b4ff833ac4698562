// node build/docs-performance.mjs: writes the tables of the last bench runs (bench/results) into
// docs/performance.md and their summary into README.md. Tables without a new result stay.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { putSummary } from './docs-summary.mjs'
import { repository } from './programs.mjs'

/**
 * @typedef {{ cpu: number, wall: number, rss?: number, rate?: number }} Figures
 * @typedef {{ name: string, failure?: string, figures?: Figures }} Variant
 * @typedef {{ name: string, question: string, machine: string, at: string, variants: Variant[],
 *   goals?: { text: string }[] }} Case
 */

const marks = { begin: '<!-- bench -->', end: '<!-- /bench -->' }
const results = path.join(repository, 'bench/results')
const page = path.join(repository, 'docs/performance.md')

const text = readFileSync(page, 'utf8')
const [head = '', rest = ''] = text.split(marks.begin)
const [stored = '', tail = ''] = rest.split(marks.end)
const filled = `${head}${marks.begin}\n\n${sections().join('\n')}\n${marks.end}${tail}`
writeFileSync(page, filled)
const readme = path.join(repository, 'README.md')
writeFileSync(readme, putSummary(readFileSync(readme, 'utf8'), filled))
const formatter = path.join(repository, 'node_modules/.bin/oxfmt')
process.exitCode = spawnSync(formatter, [page, readme], { stdio: 'inherit' }).status ?? 1

function sections() {
  const tables = new Map([...storedTables(), ...measuredTables()])
  const files = [...new Set([...tables.keys()].map((name) => fileOf(name)))].sort()
  return files.map((file) => {
    const own = [...tables].filter(([name]) => fileOf(name) === file)
    return `### ${file}\n\n${own.map(([, table]) => table).join('\n')}`
  })
}

/**
 * Returns the name and text of every table on the page.
 * @returns {Map<string, string>}
 */
function storedTables() {
  const tables = new Map()
  const text = stored.replaceAll(/^### .*\n\n/gm, '')
  for (const table of text.split(/^(?=\*\*[a-z-]+\/)/m).slice(1)) {
    tables.set(table.slice(2, table.indexOf('**', 2)), `${table.trimEnd()}\n`)
  }
  return tables
}

/** @returns {Map<string, string>} */
function measuredTables() {
  const tables = new Map()
  for (const name of readdirSync(results).filter((each) => each.endsWith('.json'))) {
    const file = path.basename(name, '.json')
    const { cases } = JSON.parse(readFileSync(path.join(results, name), 'utf8'))
    for (const each of /** @type {Case[]} */ (cases)) {
      tables.set(`${file}/${each.name}`, caseTable(file, each))
    }
  }
  return tables
}

/** @param {string} name */
function fileOf(name) {
  return name.slice(0, name.indexOf('/'))
}

/**
 * @param {string} file
 * @param {Case} benchCase
 */
function caseTable(file, { name, question, machine, at, variants, goals = [] }) {
  const base = variants[0]?.figures
  const rows = variants.map(({ name: variant, figures, failure }) =>
    figures === undefined
      ? [variant, failure ?? 'failed', '', '', '', '']
      : row(variant, figures, base),
  )
  const lines = [['variant', 'CPU ms', 'x', 'wall ms', 'x', 'MiB'], Array(6).fill('---'), ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const list = goals.map((goal) => `- ${goal.text}\n`).join('')
  const when = `${machine}, ${at.slice(0, 10)}`
  return `**${file}/${name}**: ${question} (${when})\n\n${table}\n\n${list}`
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
  if (base === undefined || base === 0) return ''
  const value = own / base
  return value < 0.01 ? value.toPrecision(2) : value.toFixed(2)
}
