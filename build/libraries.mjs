// Builds the libraries for use outside this repository: JavaScript modules and their declarations in
// packages/<name>/dist. `npm pack` runs it; the programs never load its output.
// node build/libraries.mjs [name...]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { sourceConditions } from './bundle.mjs'
import { repository } from './programs.mjs'

const libraryNames = ['core', 'llm', 'mcp', 'corpus', 'evidence', 'agent', 'reader']

const requested = process.argv.slice(2)
const unknown = requested.find((name) => !libraryNames.includes(name))
if (unknown !== undefined) {
  console.error(`no library '${unknown}' (${libraryNames.join(', ')})`)
  process.exit(2)
}
for (const name of requested.length > 0 ? requested : libraryNames) {
  const dist = path.join(repository, 'packages', name, 'dist')
  rmSync(dist, { recursive: true, force: true })
  await bundleLibrary(name, dist)
  writeDeclarations(name, path.join(dist, 'types'))
}

/**
 * Writes one module per public subpath and per worker; the modules share chunks. Chunks lie beside the
 * workers, because a chunk looks for a worker in its own folder. Other packages stay imports.
 * @param {string} name
 * @param {string} dist
 */
async function bundleLibrary(name, dist) {
  const bundle = await rolldown({
    input: { ...publicModules(name), ...workerModules(name) },
    platform: 'node',
    resolve: { conditionNames: sourceConditions },
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    transform: { target: 'node20.19' },
  })
  await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

/**
 * Maps the name of each module in `dist` to the source file of its public subpath.
 * @param {string} name
 * @returns {Record<string, string>}
 */
function publicModules(name) {
  const folder = path.join(repository, 'packages', name)
  const { exports } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const targets = /** @type {{ 'zee-source': string, default: string }[]} */ (
    Object.values(exports)
  )
  return Object.fromEntries(
    targets.map((target) => [
      path.relative('dist', target.default).replace(/\.js$/, ''),
      path.join(folder, target['zee-source']),
    ]),
  )
}

/**
 * Returns the worker entries. A worker is a separate file beside the module that starts it.
 * @param {string} name
 * @returns {Record<string, string>}
 */
function workerModules(name) {
  const folder = path.join(repository, 'packages', name, 'src/workers')
  if (!existsSync(folder)) return {}
  const workers = readdirSync(folder).filter((file) => file.endsWith('-worker.ts'))
  return Object.fromEntries(
    workers.map((file) => [path.basename(file, '.ts'), path.join(folder, file)]),
  )
}

/**
 * Copies the declarations that the compiler keeps in its cache. Their imports name `.ts` files, which
 * other projects' compilers refuse.
 * @param {string} name
 * @param {string} types
 */
function writeDeclarations(name, types) {
  const compiler = path.join(repository, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-b', path.join(repository, 'packages', name)], {
    stdio: 'inherit',
  })
  const cache = path.join(repository, 'node_modules/.cache/types', name, 'src')
  for (const file of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts') || /\.(test|fixtures)\.d\.ts$/.test(file)) continue
    const text = readFileSync(path.join(cache, file), 'utf8')
    const target = path.join(types, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text.replace(/((?:from|import\()\s*["']\.[^"']*)\.ts(["'])/g, '$1.js$2'))
  }
}
