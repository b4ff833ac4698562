// Changes one operator, bound or string of a package at a time, and runs the unit tests that import the
// changed file. A mutant that no test notices is printed: it needs a test, or an explanation.
// npm run mutants -- core [count] [seed] [folder below src]
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { repository } from './programs.mjs'

/** @typedef {{ file: string, start: number, end: number, text: string, line: number, from: string }} Mutant */

const [name = '', count = '200', seed = '1', folder = ''] = process.argv.slice(2)
const source = path.join(repository, 'packages', name, 'src')
/** A mutant that makes the tests run longer than this counts as noticed. */
const deadlineMs = 120_000

const operators = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
])

const files = readdirSync(path.join(source, folder), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join(source, folder, file))
  .filter((file) => file.endsWith('.ts') && !/\.(test|fixtures|d)\.ts$/.test(file))
const mutants = sample(files.flatMap(mutantsOf), Number(count))

let caught = 0
for (const [index, mutant] of mutants.entries()) {
  const isCaught = await isNoticed(mutant)
  if (isCaught) caught += 1
  else {
    const where = `${path.relative(repository, mutant.file)}:${mutant.line}`
    console.log(`survived: ${where}: ${mutant.from} -> ${mutant.text}`)
  }
  if ((index + 1) % 10 === 0) console.log(`${index + 1} of ${mutants.length}: ${caught} caught`)
}
const percent = ((caught / Math.max(mutants.length, 1)) * 100).toFixed(1)
console.log(`${name}: ${caught} of ${mutants.length} mutants caught (${percent} %)`)

/**
 * @param {string} file
 * @returns {Mutant[]}
 */
function mutantsOf(file) {
  const text = readFileSync(file, 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {Mutant[]} */
  const found = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    // Types, imports and exports of other files do not run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    const changed = changeOf(node)
    if (changed !== undefined) {
      const [start, end] = [node.getStart(), node.getEnd()]
      const { line } = tree.getLineAndCharacterOfPosition(start)
      found.push({ file, start, end, text: changed, line: line + 1, from: text.slice(start, end) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/**
 * The text that replaces the node, if it is an operator, a number, a boolean or a string.
 * @param {ts.Node} node
 */
function changeOf(node) {
  if (ts.isToken(node) && ts.isBinaryExpression(node.parent)) {
    if (node === node.parent.operatorToken) return operators.get(node.kind)
  }
  if (ts.isNumericLiteral(node)) return `(${node.getText()} + 1)`
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (ts.isStringLiteral(node) && !ts.isPropertyAssignment(node.parent)) {
    return node.text === '' ? "'mutant'" : "''"
  }
  return undefined
}

/**
 * The mutants with the smallest hashes: random, but the same for the same seed.
 * @param {Mutant[]} all
 * @param {number} size
 */
function sample(all, size) {
  /** @param {Mutant} mutant */
  const hash = ({ file, start, text }) =>
    createHash('sha256')
      .update(`${seed}:${path.relative(repository, file)}:${start}:${text}`)
      .digest('hex')
  const hashed = all.map((mutant) => ({ mutant, key: hash(mutant) }))
  hashed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return hashed.slice(0, size).map(({ mutant }) => mutant)
}

/**
 * Whether a test fails, or does not end, with the mutant.
 * @param {Mutant} mutant
 * @returns {Promise<boolean>}
 */
function isNoticed({ file, start, end, text }) {
  const vitest = path.join(repository, 'node_modules/.bin/vitest')
  // The patterns of the configuration are relative to `--dir`.
  const options = [
    '--run',
    '--config',
    'vitest.mutants.config.ts',
    '--bail',
    '1',
    '--maxWorkers',
    '1',
  ]
  const args = ['related', file, ...options, '--dir', path.join('packages', name, 'src', folder)]
  const env = { ...process.env, ZEE_MUTANT: JSON.stringify({ file, start, end, text }) }
  const child = spawn(vitest, args, { cwd: repository, env, stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), deadlineMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })
}
