// npm run test:nodes [-- <version or path>...]: runs the test suite on Node 20, 22 and 24.
// A path names a node binary; a version is fetched into a temporary folder. Each Node installs into its own
// copy of the working tree.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { repository } from './programs.mjs'

const asked = process.argv.slice(2)
const nodes = asked.length > 0 ? asked : ['20', '22', '24']
const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee-nodes-'))
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => process.exit(130))
}

/** @type {string[]} */
const results = []
for (const each of nodes) {
  const binary = existsSync(each) ? path.resolve(each) : fetchNode(each)
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  console.log(`\n== Node ${version}`)
  const code = await testOn(binary, version)
  results.push(`Node ${version}: ${code === 0 ? 'ok' : 'FAILED'}`)
  if (code !== 0) process.exitCode = 1
}
console.log(`\n${results.join('\n')}`)

/** @param {string} version */
function fetchNode(version) {
  const prefix = path.join(temporary, `node-${version}`)
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix]
  execFileSync('npm', [...args, `node@${version}`], { stdio: 'inherit' })
  return path.join(prefix, 'node_modules/node/bin/node')
}

/**
 * @param {string} binary
 * @param {string} version
 */
async function testOn(binary, version) {
  const tree = path.join(temporary, `tree-${version}`)
  const bin = path.join(temporary, `bin-${version}`)
  cpSync(repository, tree, { recursive: true, filter: isSource })
  mkdirSync(bin)
  symlinkSync(binary, path.join(bin, 'node'))
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  for (const line of [['ci'], ['test']]) {
    const code = await run('npm', line, tree, env)
    if (code !== 0) return code
  }
  rmSync(tree, { recursive: true, force: true })
  return 0
}

/** @param {string} from */
function isSource(from) {
  return !/(^|\/)(node_modules|dist(?:\.\w+)*)$|^(\.git|release)$/.test(
    path.relative(repository, from),
  )
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function run(command, args, cwd, env) {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
