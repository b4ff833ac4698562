// Checks the manifests: every package but the pages can be published, and nothing that `npm ci` installs has
// an install script.
// node build/check-packages.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { programNames, repository } from './programs.mjs'

/** Its pages are built into the programs. */
const unpublished = new Set(['web'])
const installScripts = ['preinstall', 'install', 'postinstall', 'prepare']
const root = readJson('package.json')

const faults = [
  ...Object.entries(readJson('package-lock.json').packages).flatMap(([name, entry]) =>
    entry.hasInstallScript === true ? [`package-lock.json: ${name} has an install script`] : [],
  ),
  ...readdirSync(path.join(repository, 'packages'))
    .filter((name) => !unpublished.has(name))
    .flatMap(faultsOf),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/** @param {string} name */
function faultsOf(name) {
  const file = `packages/${name}/package.json`
  const own = readJson(file)
  /** @type {[boolean, string][]} */
  const checks = [
    [own.name === `@zee/${name}`, `the name is not @zee/${name}`],
    [own.version === root.version, `the version is not ${root.version}`],
    [own.private === undefined, 'it is private'],
    [own.license === root.license, `the licence is not ${root.license}`],
    [own.engines?.node === root.engines.node, `it needs another Node than ${root.engines.node}`],
    [own.description?.length > 0, 'it has no description'],
    [Array.isArray(own.files), 'it does not name its files'],
    [
      own.publishConfig?.access === 'public' && own.publishConfig.provenance === true,
      'publishConfig lacks public access or provenance',
    ],
    [existsSync(path.join(repository, 'packages', name, 'README.md')), 'it has no README.md'],
    [
      !installScripts.some((script) => own.scripts?.[script] !== undefined),
      'it has install scripts',
    ],
    [hasExactVersions(own.dependencies), 'a dependency has no exact version'],
    [
      programNames.includes(name) ? isProgram(name, own) : isLibrary(own),
      'its programs or exports are not complete',
    ],
  ]
  return checks.flatMap(([isRight, fault]) => (isRight ? [] : [`${file}: ${fault}`]))
}

/** @param {Record<string, string>} [dependencies] */
function hasExactVersions(dependencies = {}) {
  return Object.values(dependencies).every((version) => /^\d+\.\d+\.\d+/.test(version))
}

/**
 * A program needs no other package when it is installed.
 * @param {string} name
 * @param {any} manifest
 */
function isProgram(name, { bin, dependencies }) {
  return bin?.[name] === `bin/${name}.cjs` && dependencies === undefined
}

/** @param {any} manifest */
function isLibrary({ exports = {} }) {
  const targets = Object.values(exports)
  return (
    targets.length > 0 &&
    targets.every(
      ({ types, default: file }) =>
        /^\.\/dist\/types\/.*\.d\.ts$/.test(types) && /^\.\/dist\/.*\.js$/.test(file),
    )
  )
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(path.join(repository, file), 'utf8'))
}
