// Builds the software bill of materials of a release: CycloneDX JSON from package-lock.json. Packages in
// the bundles' source maps are `required`; packages for builds and tests only are `excluded`.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { programFolder, programNames, repository } from './programs.mjs'

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity]
 * @property {boolean} [link]
 */

/** @param {string} version of zee */
export function billOfMaterials(version) {
  const lock = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8'))
  const shipped = shippedFolders()
  const components = Object.entries(/** @type {Record<string, LockedPackage>} */ (lock.packages))
    .filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
    .map(([folder, locked]) => component(folder, locked, shipped.has(folder)))
    .toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        'bom-ref': `zee@${version}`,
        type: 'application',
        name: 'zee',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: withoutRepeats(components),
  }
}

/**
 * @param {string} folder
 * @param {LockedPackage} locked
 * @param {boolean} isShipped
 */
function component(folder, { version = '', license, integrity }, isShipped) {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    scope: isShipped ? 'required' : 'excluded',
    purl,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  }
}

/** @param {string} license */
function licenseOf(license) {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

/**
 * A package may exist in several folders; it is shipped if one of them is.
 * @param {ReturnType<typeof component>[]} components
 */
function withoutRepeats(components) {
  /** @type {Map<string, ReturnType<typeof component>>} */
  const byRef = new Map()
  for (const each of components) {
    const known = byRef.get(each['bom-ref'])
    if (known === undefined || each.scope === 'required') byRef.set(each['bom-ref'], each)
  }
  return [...byRef.values()]
}

/** Returns the package folders, as the lock file names them, whose code is in a bundle. */
function shippedFolders() {
  /** @type {Set<string>} */
  const folders = new Set()
  for (const name of programNames) {
    const dist = path.join(programFolder(name), 'dist')
    for (const file of readdirSync(dist).filter((each) => each.endsWith('.map'))) {
      const { sources } = JSON.parse(readFileSync(path.join(dist, file), 'utf8'))
      for (const source of sources) {
        const place = path.relative(repository, path.resolve(dist, source))
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(place)?.[0]
        if (folder !== undefined) folders.add(folder)
      }
    }
  }
  return folders
}
