// Runs a TypeScript program of the repository on any supported Node: bundles it into a cache folder, then
// loads it.
// node build/run-ts.mjs bench/main.ts [arguments]
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bundlePrograms } from './bundle.mjs'

const [entry, ...rest] = process.argv.slice(2)
if (entry === undefined) {
  console.error('usage: node build/run-ts.mjs <file.ts> [arguments]')
  process.exit(2)
}
const root = path.resolve(import.meta.dirname, '..')
const name = path.relative(root, path.resolve(entry)).replace(/[\\/]/g, '-').replace(/\.ts$/, '')
// The pid keeps concurrent runs apart.
const out = path.join(root, 'node_modules/.cache/zee/run', `${name}-${process.pid}`)
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
await bundlePrograms({ [name]: path.resolve(entry) }, out)
process.argv = [process.execPath, path.resolve(entry), ...rest]
createRequire(import.meta.url)(path.join(out, `${name}.cjs`))
