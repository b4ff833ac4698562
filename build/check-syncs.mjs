// Refuses a catch that drops the error of a sync: a failed fsync is final, so the caller must learn of it.
// `.catch` and `try` around a sync must rethrow, or use the error.
// node build/check-syncs.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { repository } from './programs.mjs'

const syncs = new Set([
  ...['sync', 'datasync', 'fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync'],
  ...['fsyncPath', 'fsyncFolder', 'fsyncFolderSync', 'fsyncIfExists', 'flushFile', 'flushFolder'],
])

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.(test|fixtures)\.ts$/.test(file),
  )

let count = 0
for (const file of files) {
  const text = readFileSync(path.join(repository, file), 'utf8')
  if (!/sync|flush/i.test(text)) continue
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  visit(source, (node) => {
    if (!dropsSyncError(node)) return
    count += 1
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    console.log(`${file}:${line + 1}: this catch drops the error of a sync: rethrow it, or use it`)
  })
}
process.exitCode = count === 0 ? 0 : 1

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} use
 */
function visit(node, use) {
  use(node)
  ts.forEachChild(node, (child) => visit(child, use))
}

/** @param {ts.Node} node */
function dropsSyncError(node) {
  if (ts.isTryStatement(node) && node.catchClause !== undefined) {
    const { variableDeclaration, block } = node.catchClause
    return containsSync(node.tryBlock) && !usesError(block, variableDeclaration?.name.getText())
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  if (node.expression.name.text !== 'catch' || !containsSync(node.expression.expression))
    return false
  const [handler] = node.arguments
  if (handler === undefined || !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)))
    return false
  return !usesError(handler.body, handler.parameters[0]?.name.getText())
}

/**
 * A call of a sync, not counting functions that are only defined here.
 * @param {ts.Node} node
 * @returns {boolean}
 */
function containsSync(node) {
  if (ts.isFunctionLike(node)) return false
  if (ts.isCallExpression(node)) {
    const { expression } = node
    const name = ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : expression.getText()
    if (syncs.has(name)) return true
  }
  return ts.forEachChild(node, (child) => containsSync(child) || undefined) ?? false
}

/**
 * @param {ts.Node} block
 * @param {string | undefined} name
 */
function usesError(block, name) {
  let found = false
  visit(block, (node) => {
    if (ts.isThrowStatement(node)) found = true
    if (name !== undefined && ts.isIdentifier(node) && node.text === name) found = true
  })
  return found
}
