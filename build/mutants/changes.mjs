// The mutants of a source file: each changes one operator, number, boolean or string.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { repository } from '../programs.mjs'

/**
 * `inside` is the name of the function around the change, undefined at the top of the module.
 * @typedef {{ file: string, start: number, end: number, text: string, line: number, from: string, inside: string | undefined }} Mutant
 */

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

/**
 * @param {string} file
 * @returns {Mutant[]}
 */
export function mutantsOf(file) {
  const text = readFileSync(file, 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  /** @type {Mutant[]} */
  const found = []
  /**
   * @param {ts.Node} node
   * @param {string | undefined} inside
   */
  const visit = (node, inside) => {
    // Types, imports and exports of other files do not run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    const changed = changeOf(node)
    if (changed !== undefined) {
      const [start, end] = [node.getStart(), node.getEnd()]
      const line = tree.getLineAndCharacterOfPosition(start).line + 1
      found.push({ file, start, end, text: changed, line, from: text.slice(start, end), inside })
    }
    const within = functionName(node) ?? inside
    ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(tree, undefined)
  return found
}

/**
 * The name that V8 reports for a function; undefined for other nodes and functions without a name.
 * @param {ts.Node} node
 */
function functionName(node) {
  if (ts.isFunctionDeclaration(node)) return node.name?.text
  // V8 reports no name for `[Symbol.iterator]`: the mutant belongs to the scope around it.
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
    if (ts.isComputedPropertyName(node.name)) return undefined
    const kind = ts.isGetAccessor(node) ? 'get ' : ts.isSetAccessor(node) ? 'set ' : ''
    return kind + node.name.getText()
  }
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text
  const isValue = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
  if (!isValue || node.initializer === undefined) return undefined
  const isFunction =
    ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)
  return isFunction && ts.isIdentifier(node.name) ? node.name.text : undefined
}

/**
 * The text that replaces the node, if it is an operator, a number, a boolean or a string.
 * @param {ts.Node} node
 */
function changeOf(node) {
  if (ts.isToken(node) && ts.isBinaryExpression(node.parent)) {
    if (node === node.parent.operatorToken) return operators.get(node.kind)
  }
  // One millisecond more cannot be observed without a test that depends on time.
  if (ts.isNumericLiteral(node)) {
    return isDuration(node) || isEmptyColumn(node) ? undefined : `(${node.getText()} + 1)`
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (ts.isStringLiteral(node) && !ts.isPropertyAssignment(node.parent)) {
    return node.text === '' ? "'mutant'" : "''"
  }
  return undefined
}

/**
 * Whether the number is the value of a name that ends with `Ms`, alone or in a product.
 * @param {ts.Node} node
 */
function isDuration(node) {
  let at = node.parent
  while (ts.isBinaryExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent
  const isNamed = ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at) || ts.isParameter(at)
  const name = isNamed
    ? (ts.getNameOfDeclaration(/** @type {ts.Declaration} */ (at))?.getText() ?? '')
    : ''
  return /ms$/i.test(name) && Number(node.getText().replaceAll('_', '')) > 1
}

/**
 * Whether the number is the 0 of `new Uint32Array(0)`: such an array grows before it is used.
 * @param {ts.Node} node
 */
function isEmptyColumn(node) {
  const { parent } = node
  return (
    node.getText() === '0' &&
    ts.isNewExpression(parent) &&
    parent.expression.getText().endsWith('Array')
  )
}

/**
 * Mutants that no test can notice, with the reason: see the file of the package in `explained`.
 * @param {string} name of the package
 * @param {Mutant[]} all
 */
export function withoutExplained(name, all) {
  const list = new URL(`./explained/${name}.json`, import.meta.url)
  const explained = /** @type {{ file: string, code: string, change?: string }[]} */ (
    existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  )
  const key = (/** @type {string} */ file, /** @type {string} */ code) => `${file}\n${code}`
  /** @type {Map<string, (string | undefined)[]>} */
  const changes = new Map()
  for (const { file, code, change } of explained) {
    const place = key(file, code)
    changes.set(place, [...(changes.get(place) ?? []), change])
  }
  return all.filter(({ file, line, from, text }) => {
    const code = readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() ?? ''
    const known = changes.get(key(path.relative(repository, file), code)) ?? []
    return !known.includes(undefined) && !known.includes(`${from} -> ${text}`)
  })
}

/**
 * Shuffles the mutants: random, but the same for the same seed.
 * @param {Mutant[]} all
 * @param {string} seed
 */
export function shuffled(all, seed) {
  /** @param {Mutant} mutant */
  const hash = ({ file, start, text }) =>
    createHash('sha256')
      .update(`${seed}:${path.relative(repository, file)}:${start}:${text}`)
      .digest('hex')
  const hashed = all.map((mutant) => ({ mutant, key: hash(mutant) }))
  hashed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return hashed.map(({ mutant }) => mutant)
}
