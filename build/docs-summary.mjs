// Builds the comparison in README.md from rows of docs/performance.md, so that both show the same figures.

/**
 * @typedef {{ name: string, cpu: string, cpuRatio: number, wall: string, wallRatio: number }} Row
 * @typedef {{ what: string, with: string, costs: (rows: Row[]) => string }} Claim
 */

const marks = { begin: '<!-- bench -->\n', end: '\n<!-- /bench -->' }

/** Keyed by case. The first row of a case is the floor or the peer. */
const claims = /** @type {Record<string, Claim>} */ ({
  'start/answers': {
    what: '`--version`, `--help` of all four',
    with: '`node empty.cjs`',
    costs: ([, ...own]) => {
      const ratios = own.map(({ cpuRatio }) => cpuRatio)
      return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} x`
    },
  },
  'zdx/answer': {
    what: 'one prompt with zdx',
    with: 'a bare HTTP client on Node',
    costs: (rows) => `${cpuOf(rows, 'zdx exec')} x`,
  },
  'zcl/run': {
    what: '`zcl run -- true`, all included',
    with: '`node empty.cjs`',
    costs: (rows) => `${cpuOf(rows, 'zcl run -- true')} x`,
  },
  'process/passthrough': {
    what: '512 MB through a traced child',
    with: '`cat` in its place',
    costs: (rows) => `${rows[1]?.cpuRatio.toFixed(2)} x`,
  },
  'zeno/grep 50000 files': {
    what: 'the first search of 50,000 files',
    with: '`rg -a`',
    costs: (rows) => `${cpuOf(rows, 'zeno, cold')} x`,
  },
  'zeno-index/index all hits': {
    what: 'a later search of a large tree, all hits',
    with: '`rg -n`',
    costs: (rows) => `${rows[1]?.wallRatio.toFixed(2)} x of its time`,
  },
  'zeno/list 50000 files': {
    what: 'ten lists of 50,000 files by one zeno',
    with: 'ten runs of `rg --files`',
    costs: (rows) => `${rows[1]?.cpuRatio.toFixed(2)} x`,
  },
  'zcl-funnels/http-request': {
    what: "a request through zcl's HTTP funnel",
    with: 'a bare relay on Node',
    costs: (rows) => {
      const own = rowOf(rows, 'added').wallRatio
      return `${(own / rowOf(rows, 'added by a bare relay').wallRatio).toFixed(2)} x of its delay`
    },
  },
  'journal/read': {
    what: 'reading a journal back',
    with: '`JSON.parse` alone',
    costs: (rows) => `${cpuOf(rows, 'readJournalSync, 50 MB')} x, memory constant`,
  },
  'zino-mem/search-1m': {
    what: 'a search in 1,000,000 memories of zino',
    with: 'an empty request',
    costs: (rows) =>
      `${rowOf(rows, 'search_all, p50').wall} ms instead of ${rowOf(rows, 'ping, p50').wall} ms`,
  },
})

/**
 * Returns README.md with the comparison from docs/performance.md.
 * @param {string} readme
 * @param {string} performance
 */
export function putSummary(readme, performance) {
  const begin = readme.indexOf(marks.begin)
  const end = readme.indexOf(marks.end)
  if (begin === -1 || end === -1) throw new Error('README.md: no place for the comparison')
  const cases = casesOf(performance)
  const rows = Object.entries(claims).map(([name, claim]) => {
    const found = cases.get(name)
    if (found === undefined)
      throw new Error(`docs/performance.md: no table ${name} (npm run bench)`)
    return [claim.what, claim.with, claim.costs(found)]
  })
  return readme.slice(0, begin + marks.begin.length) + table(rows) + readme.slice(end)
}

/**
 * @param {string} performance
 * @returns {Map<string, Row[]>}
 */
function casesOf(performance) {
  const cases = new Map()
  for (const part of performance.split(/^\*\*(?=[a-z-]+\/)/m).slice(1)) {
    const name = part.slice(0, part.indexOf('**'))
    const lines = part.split('\n').filter((line) => line.startsWith('| '))
    cases.set(name, lines.slice(2).map(rowOfLine))
  }
  return cases
}

/** @param {string} line */
function rowOfLine(line) {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  const [, name = '', cpu = '', cpuRatio = '', wall = '', wallRatio = ''] = cells
  return { name, cpu, cpuRatio: Number(cpuRatio), wall, wallRatio: Number(wallRatio) }
}

/**
 * @param {Row[]} rows
 * @param {string} name
 */
function rowOf(rows, name) {
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`docs/performance.md: no row ${name}`)
  return row
}

/**
 * @param {Row[]} rows
 * @param {string} name
 */
function cpuOf(rows, name) {
  return rowOf(rows, name).cpuRatio.toFixed(2)
}

/**
 * Pads the columns to equal width, as the formatter requires.
 * @param {string[][]} rows
 */
function table(rows) {
  const all = [['what', 'compared with', 'costs'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const [head = [], ...others] = all
  return `\n${[line(head), rule, ...others.map(line)].join('\n')}\n`
}
