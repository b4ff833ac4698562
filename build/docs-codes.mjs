// Compares error codes, settings and environment variables in the code with those in the docs.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

/** The patterns in which the code base attaches a code to an error. */
const raisers = [
  /\bnew (?:ZeeError|ModelError)\(\s*'([a-z_]+)'/g,
  /\bfailure\(\s*'([a-z_]+)'/g,
  /\bcode: '([a-z]+_[a-z_]+)'/g,
]

const sources = sourceFiles(path.join(repository, 'packages'))

/**
 * Compares the tables of docs/errors.md with the code in both directions.
 * @param {string} page its text
 * @param {ReadonlySet<string>} zclCodes what the table of codes of zcl holds
 */
export function codeProblems(page, zclCodes) {
  const documented = new Set([...page.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code = '']) => code))
  const raised = new Set(raisers.flatMap((raiser) => found(raiser)))
  const used = new Set(found(/\b(ZCL_[EW]_[A-Z_]*[A-Z])\b/g))
  return [
    ...missing(raised, documented).map((code) => `docs/errors.md: no row for the code \`${code}\``),
    ...missing(documented, raised).map((code) => `docs/errors.md: \`${code}\` is raised nowhere`),
    ...missing(used, zclCodes).map((code) => `packages/zcl: no code ${code} in the table`),
    ...missing(zclCodes, used).map((code) => `packages/zcl: nothing uses the code ${code}`),
  ]
}

/** Checks that the docs explain every zee variable that the code reads, and no others. */
export function variableProblems() {
  const own = /\b((?:ZDX|ZENO|ZINO|ZCL|ZEE)_[A-Z0-9_]*[A-Z0-9])\b/g
  const read = new Set(
    found(/\benv(?:ironment)?\??\.((?:ZDX|ZENO|ZINO|ZCL|ZEE)_[A-Z0-9_]+)/g).concat(
      found(/['"`]((?:ZDX|ZENO|ZINO|ZCL|ZEE)_[A-Z0-9_]*[A-Z0-9])['"`]/g),
    ),
  )
  const anywhere = new Set(found(own))
  /** @type {Set<string>} */
  const named = new Set()
  for (const name of readdirSync(path.join(repository, 'docs')).filter((n) => n.endsWith('.md'))) {
    const text = readFileSync(path.join(repository, 'docs', name), 'utf8')
    for (const [, variable = ''] of text.matchAll(own)) named.add(variable)
  }
  const isCode = (/** @type {string} */ name) => /^ZCL_[EW]_/.test(name)
  const isOfTests = (/** @type {string} */ name) => name.startsWith('ZEE_')
  return [
    ...missing(read, named)
      .filter((name) => !isCode(name))
      .map((name) => `docs: the variable ${name} is explained nowhere`),
    ...missing(named, anywhere)
      .filter((name) => !isCode(name) && !isOfTests(name))
      .map((name) => `docs: the variable ${name} is read nowhere`),
  ]
}

/**
 * Checks that the keys in the TOML examples of a page exist.
 * @param {string} page its name
 * @param {string} text
 * @param {ReadonlySet<string>} keys as the table of settings writes them
 */
export function settingProblems(page, text, keys) {
  /** @type {string[]} */
  const problems = []
  const patterns = [...keys].map((key) => new RegExp(`^${keyPattern(key)}$`))
  for (const [, block = ''] of text.matchAll(/^```toml\n([\s\S]*?)^```/gm)) {
    for (const key of keysIn(block)) {
      const isKnown = patterns.some((pattern) => pattern.test(key))
      if (!isKnown) problems.push(`${page}: no setting ${key}`)
    }
  }
  return problems
}

/**
 * `<name>` in a key of the table stands for any word.
 * @param {string} key
 */
function keyPattern(key) {
  const plain = key.replaceAll(/[.[\]]/g, String.raw`\$&`)
  return plain.replaceAll('<name>', '[^.]+')
}

/**
 * `a.b` for a key of a table, `a[].b` in a list of tables.
 * @param {string} toml
 */
function keysIn(toml) {
  /** @type {string[]} */
  const keys = []
  let table = ''
  for (const line of toml.split('\n')) {
    const [, list, plain] = /^\s*\[(?:\[([^\]]+)\]|([^\]]+))\]/.exec(line) ?? []
    if (list !== undefined) table = `${list}[].`
    else if (plain !== undefined) table = `${plain}.`
    const key = /^\s*([\w-]+)\s*=/.exec(line)?.[1]
    if (key !== undefined) keys.push(table + key)
  }
  return keys
}

/** @param {RegExp} pattern */
function found(pattern) {
  return sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))
}

/**
 * @param {ReadonlySet<string>} wanted
 * @param {ReadonlySet<string>} present
 */
function missing(wanted, present) {
  return [...wanted].filter((name) => !present.has(name)).sort()
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'test', 'fixtures'].includes(entry.name)
        ? []
        : sourceFiles(full)
    }
    const isSource = entry.name.endsWith('.ts') && !/\.(test|fixtures)\.ts$/.test(entry.name)
    return isSource ? [readFileSync(full, 'utf8')] : []
  })
}
