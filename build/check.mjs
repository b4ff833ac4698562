// `npm run check`: format, lint, types, boundaries, rooms, words, packages, unused code, docs. A failing gate does
// not stop the others.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { repository } from './programs.mjs'

/** @type {readonly (readonly [string, readonly string[]])[]} */
const gates = [
  ['format', ['oxfmt', '--check', '.']],
  ['lint', ['oxlint', '--deny-warnings']],
  ['types', ['tsc', '-b']],
  ['boundaries', ['depcruise', '--config', '.dependency-cruiser.cjs', 'packages']],
  ['rooms', ['node', 'build/check-rooms.mjs']],
  ['words', ['node', 'build/check-words.mjs']],
  ['syncs', ['node', 'build/check-syncs.mjs']],
  ['packages', ['node', 'build/check-packages.mjs']],
  ['unused', ['knip']],
  ['docs', ['node', 'build/check-docs.mjs']],
]

const queue = [...gates]
let failed = 0
await Promise.all([worker(), worker()])
process.exitCode = failed === 0 ? 0 : 1

async function worker() {
  for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) {
    const [name, command] = gate
    const started = performance.now()
    const { code, output } = await run(command)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
    if (code === 0) continue
    failed += 1
    console.log(output)
  }
}

/**
 * @param {readonly string[]} command
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run([program = '', ...args]) {
  const bin = path.join(repository, 'node_modules/.bin')
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const child = spawn(program, args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
