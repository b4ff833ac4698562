// npm run docs: writes the generated docs: reference/<program>.md and schemas/*.json.
// With --check it writes nothing and prints the differences. Needs built programs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePrograms } from './bundle.mjs'
import { renderReference } from './docs-reference.mjs'
import { programFolder, programNames, repository } from './programs.mjs'

const require = createRequire(import.meta.url)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generatedFiles()
  const problems = process.argv.includes('--check') ? drift(files) : (write(files), [])
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}

/**
 * Maps paths below docs to contents.
 * @returns {Promise<Map<string, string>>}
 */
export async function generatedFiles() {
  const data = await loadData()
  const files = new Map()
  for (const name of programNames) {
    const { tree } = require(path.join(programFolder(name), 'dist/commands.cjs'))
    files.set(`reference/${name}.md`, renderReference(tree, data))
  }
  for (const [name, schema] of Object.entries(data.schemaFiles())) {
    files.set(`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`)
  }
  return files
}

/**
 * Returns the generated files that differ from the code.
 * @param {Map<string, string>} files
 */
export function drift(files) {
  /** @type {string[]} */
  const problems = []
  for (const [name, text] of files) {
    const found = read(name)
    if (found === text) continue
    const state = found === undefined ? 'is missing' : 'is not what the code says'
    problems.push(`docs/${name}: ${state} (npm run docs)`)
  }
  for (const name of stored()) {
    if (!files.has(name)) problems.push(`docs/${name}: nothing in the code makes it (npm run docs)`)
  }
  return problems
}

/** @returns {Promise<typeof import('./docs-data.ts')>} */
export async function loadData() {
  const cache = path.join(repository, `node_modules/.cache/zee/docs-${process.pid}`)
  try {
    await bundlePrograms({ data: path.join(repository, 'build/docs-data.ts') }, cache, {
      sourcemap: false,
    })
    return require(path.join(cache, 'data.cjs'))
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

/** @param {Map<string, string>} files */
function write(files) {
  for (const name of stored()) if (!files.has(name)) rmSync(path.join(repository, 'docs', name))
  for (const [name, text] of files) {
    if (read(name) === text) continue
    const file = path.join(repository, 'docs', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote docs/${name}`)
  }
}

/** Lists the files in folders that contain generated files only. */
function stored() {
  return ['reference', 'schemas'].flatMap((folder) => {
    try {
      const names = readdirSync(path.join(repository, 'docs', folder))
      return names.filter((name) => name !== 'README.md').map((name) => `${folder}/${name}`)
    } catch {
      return []
    }
  })
}

/** @param {string} name */
function read(name) {
  try {
    return readFileSync(path.join(repository, 'docs', name), 'utf8')
  } catch {
    return undefined
  }
}
