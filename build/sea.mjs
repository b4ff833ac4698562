// node build/sea.mjs [--out <dir>] [program...]: builds one executable per program that contains the running
// Node and the program, for machines without Node. 64-bit Linux only. Needs built programs.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { programFolder, programNames, repository } from './programs.mjs'
import { injectBlob } from './sea-inject.mjs'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: 'release/executables' } },
    allowPositionals: true,
  })
  for (const name of positionals.length > 0 ? positionals : programNames) {
    console.log(makeExecutable(name, path.resolve(values.out)))
  }
}

/**
 * @param {string} name
 * @param {string} out
 * @returns {string} the executable
 */
export function makeExecutable(name, out) {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee-sea-'))
  try {
    const config = path.join(temporary, 'sea.json')
    writeFileSync(config, JSON.stringify(seaConfig(name, temporary)))
    execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' })
    const blob = readFileSync(path.join(temporary, 'blob'))
    const target = path.join(out, `${name}-${process.platform}-${process.arch}`)
    mkdirSync(out, { recursive: true })
    writeFileSync(target, injectBlob(readFileSync(process.execPath), blob), { mode: 0o755 })
    return target
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/**
 * @param {string} name
 * @param {string} temporary
 */
function seaConfig(name, temporary) {
  const folder = programFolder(name)
  const files = ['bin', 'dist', 'package.json'].flatMap((part) => filesIn(folder, part)).toSorted()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(folder, file)))
  const manifest = path.join(temporary, 'manifest.json')
  writeFileSync(manifest, JSON.stringify({ name, digest: hash.digest('hex').slice(0, 16), files }))
  return {
    main: path.join(repository, 'build/sea-loader.cjs'),
    output: path.join(temporary, 'blob'),
    disableExperimentalSEAWarning: true,
    assets: {
      'manifest.json': manifest,
      ...Object.fromEntries(files.map((file) => [file, path.join(folder, file)])),
    },
  }
}

/**
 * Omits source maps: they are as large as everything else together.
 * @param {string} folder
 * @param {string} part
 * @returns {string[]}
 */
function filesIn(folder, part) {
  if (part === 'package.json') return [part]
  return readdirSync(path.join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}
