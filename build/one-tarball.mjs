// One npm package with all programs: `npm install --global ./zee-<version>.tgz`. The programs lie side by
// side in it, as in the repository, so that zee finds the others. It has no dependencies.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { programFolder, programNames, repository } from './programs.mjs'

/**
 * Packs the built programs into `out` and returns the name of the file.
 * @param {string} out
 * @param {string} version
 */
export function packTogether(out, version) {
  const stage = mkdtempSync(path.join(os.tmpdir(), 'zee-package-'))
  try {
    for (const name of programNames) copyProgram(name, path.join(stage, 'programs', name))
    for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
      cpSync(path.join(repository, name), path.join(stage, name))
    }
    writeFileSync(
      path.join(stage, 'package.json'),
      `${JSON.stringify(manifest(version), null, 2)}\n`,
    )
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out]
    const printed = execFileSync('npm', args, { cwd: stage, encoding: 'utf8', stdio: 'pipe' })
    return JSON.parse(printed)[0].filename
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/**
 * @param {string} name
 * @param {string} target
 */
function copyProgram(name, target) {
  const source = programFolder(name)
  for (const part of ['bin', 'dist']) {
    cpSync(path.join(source, part), path.join(target, part), {
      recursive: true,
      filter: (file) => !file.endsWith('.map') && !file.includes('/dist/types'),
    })
  }
  const { version, license, engines, description } = read(path.join(source, 'package.json'))
  const own = { name: `@zee/${name}`, version, description, license, engines, private: true }
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
}

/** @param {string} version */
function manifest(version) {
  const { description, license, engines, keywords } = read(path.join(repository, 'package.json'))
  return {
    name: 'zee',
    version,
    description,
    keywords,
    license,
    bin: Object.fromEntries(programNames.map((name) => [name, `programs/${name}/bin/${name}.cjs`])),
    files: ['programs', 'CHANGELOG.md'],
    engines,
    publishConfig: { access: 'public', provenance: true },
  }
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
