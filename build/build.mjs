// Builds the programs: bundles, then the texts rendered from each command tree.
// node build/build.mjs [program...]
import { rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bundlePrograms } from './bundle.mjs'
import { writePacks } from './packs.mjs'
import { writeViewer } from './web.mjs'
import {
  programEntries,
  programFolder,
  programGroups,
  programNames,
  repository,
} from './programs.mjs'

const require = createRequire(import.meta.url)

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !programNames.includes(name))
if (unknown !== undefined) {
  console.error(`no program '${unknown}' (${programNames.join(', ')})`)
  process.exit(2)
}
try {
  await Promise.all((asked.length > 0 ? asked : programNames).map(buildProgram))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** @param {string} name */
async function buildProgram(name) {
  const dist = path.join(programFolder(name), 'dist')
  const fresh = `${dist}.${process.pid}`
  try {
    await bundlePrograms(programEntries(name), fresh, { minify: true, groups: programGroups(name) })
    await writeFile(path.join(fresh, 'texts.json'), await renderTexts(name, fresh))
    await writePacks(name, fresh)
    await writeViewer(name, fresh)
    await replaceFolder(dist, fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/**
 * @param {string} name
 * @param {string} folder
 */
async function renderTexts(name, folder) {
  const cache = path.join(repository, `node_modules/.cache/zee/texts-${name}-${process.pid}`)
  const source = path.join(repository, 'packages/core/src/cli/prerender.ts')
  try {
    await bundlePrograms({ prerender: source }, cache, { sourcemap: false })
    const { tree } = require(path.join(folder, 'commands.cjs'))
    return require(path.join(cache, 'prerender.cjs')).prerenderTexts(tree)
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
}

/**
 * Replaces the folder by two renames, so that a program that starts concurrently finds a complete bundle.
 * If a concurrent build renames its own bundle into place in between, the loop removes it, too.
 * @param {string} folder
 * @param {string} fresh
 */
async function replaceFolder(folder, fresh) {
  const old = `${folder}.old.${process.pid}`
  for (let isThere = false; !isThere; await rm(old, { recursive: true, force: true })) {
    await rename(folder, old).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
    isThere = await rename(fresh, folder).then(
      () => true,
      (error) => {
        if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
        throw error
      },
    )
  }
}
