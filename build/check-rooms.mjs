// Checks that folders are modules: one front file, private insides, few files, handlers where they belong.
// node build/check-rooms.mjs [packages/<name>...]
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

const { basename, dirname, join, normalize } = path.posix
const maxFiles = 15
/** More files than this with the same first word belong into a folder of that name. */
const maxSamePrefix = 4

const requested = process.argv.slice(2).map((name) => name.replace(/\/$/, ''))
const packages = readdirSync(path.join(repository, 'packages')).map((name) => `packages/${name}`)
let problems = 0
for (const name of requested.length > 0 ? requested : packages) checkPackage(name)
process.exitCode = problems === 0 ? 0 : 1

/** @param {string} message */
function report(message) {
  problems += 1
  console.log(message)
}

/** @param {string} name */
function checkPackage(name) {
  const src = `${name}/src`
  const sources = sourceFiles(src)
  for (const folder of new Set(sources.map((file) => dirname(file)))) {
    checkFolder(
      folder,
      sources.filter((file) => dirname(file) === folder),
      folder === src,
    )
  }
  const exported = exportedFiles(name)
  for (const file of sources) {
    for (const target of importedFiles(file)) {
      if (!target.startsWith(`${src}/`) || mayImport(file, target, src, exported)) continue
      report(`${file}: imports ${target.slice(src.length + 1)} past the front file of its folder`)
    }
  }
}

/**
 * @param {string} folder
 * @param {string[]} files
 * @param {boolean} isTop the package's `src`, which needs no front file
 */
function checkFolder(folder, files, isTop) {
  const name = basename(folder)
  if (files.length > maxFiles) report(`${folder}: ${files.length} files, at most ${maxFiles}`)
  const hasDoor = files.some((file) => isFront(file) || basename(file) === 'command.ts')
  if (!isTop && !hasDoor) report(`${folder}: no front file ${name}.ts`)
  const prefixes = files.map((file) => basename(file).split(/[-.]/)[0] ?? '')
  for (const prefix of new Set(prefixes)) {
    const count = prefixes.filter((each) => each === prefix).length
    if (count > maxSamePrefix) report(`${folder}: ${count} files begin with '${prefix}'`)
  }
  for (const file of files) {
    if (basename(file).startsWith(`${name}-`)) report(`${file}: repeats the name of its folder`)
  }
}

/**
 * Whether the importing file is inside the target's folder, or reaches the target by a front door.
 * @param {string} from
 * @param {string} to
 * @param {string} src
 * @param {Set<string>} exported
 */
function mayImport(from, to, src, exported) {
  const room = dirname(to)
  if (isInside(from, room) || exported.has(to)) return true
  if (isFront(to) && isInside(from, dirname(room))) return true
  const isDispatcher = isInside(from, `${src}/cli`) || from === `${src}/main.ts`
  return basename(to) === 'command.ts' && isDispatcher
}

/**
 * @param {string} file
 * @param {string} folder
 */
function isInside(file, folder) {
  return file.startsWith(`${folder}/`)
}

/** @param {string} file */
function isFront(file) {
  return basename(file).replace(/\.tsx?$/, '') === basename(dirname(file))
}

/** @param {string} src */
function sourceFiles(src) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', src], {
    cwd: repository,
    encoding: 'utf8',
  }).split('\n')
  return listed.filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.(test|fixtures)\.tsx?$/.test(file) &&
      existsSync(path.join(repository, file)),
  )
}

/**
 * Files that the package's exports map names: other packages and other folders may import them.
 * @param {string} name
 */
function exportedFiles(name) {
  const manifest = readFileSync(path.join(repository, name, 'package.json'), 'utf8')
  const exported = JSON.stringify(JSON.parse(manifest).exports ?? {})
  return new Set(exported.match(/\.\/src\/[^"]+/g)?.map((file) => join(name, file)))
}

/** @param {string} file */
function importedFiles(file) {
  const text = readFileSync(path.join(repository, file), 'utf8')
  const specifiers = text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g)
  return [...specifiers].map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
}
