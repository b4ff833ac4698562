// npm run release -- --key <private.pem> [--out <dir>] [--url <url>] [--executables]: writes a release folder:
// one tarball with all programs, one per program, with --executables also one executable per program for this system, a bill of materials,
// release.json, install.sh with the public key, a Dockerfile and a Homebrew formula, SHA-256 sums, and an ed25519 signature of the sums. The
// output is reproducible.
//
// Create the key pair once and store it outside the repository:
//   openssl genpkey -algorithm ed25519 -out zee-release.pem
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packTogether } from './one-tarball.mjs'
import { programFolder, programNames, repository } from './programs.mjs'
import { billOfMaterials } from './sbom.mjs'
import { makeExecutable } from './sea.mjs'

const values = options()
try {
  release()
} catch (error) {
  console.error(`release: ${messageOf(error)}`)
  process.exitCode = 1
}

/** A wrong option ends the script with exit code 2. */
function options() {
  try {
    const { values: given } = parseArgs({
      options: {
        key: { type: 'string', default: process.env.ZEE_RELEASE_KEY ?? '' },
        out: { type: 'string' },
        url: { type: 'string', default: 'https://example.com/zee' },
        executables: { type: 'boolean', default: false },
      },
    })
    return given
  } catch (error) {
    console.error(`release: ${messageOf(error)}`)
    return process.exit(2)
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}

function release() {
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'))
  const key = signingKey(values.key)
  const out = path.resolve(values.out ?? path.join('release', version))
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty`)
  mkdirSync(out, { recursive: true })
  const tarballs = programNames.map((name) => pack(name, out, version))
  const together = packTogether(out, version)
  if (values.executables) for (const name of programNames) makeExecutable(name, out)
  put('sbom.cdx.json', json(billOfMaterials(version)))
  const programs = programNames.map((name, index) => ({ name, file: tarballs[index] }))
  put('release.json', json({ name: 'zee', version, node: '>=20.19', file: together, programs }))
  for (const name of ['Dockerfile', 'zee.rb'])
    put(name, packaging(name, version, path.join(out, together)))
  put('install.sh', installer(key))
  chmodSync(path.join(out, 'install.sh'), 0o755)
  const sums = readdirSync(out)
    .toSorted()
    .map((name) => `${sha256(path.join(out, name))}  ${name}\n`)
    .join('')
  put('SHA256SUMS', sums)
  put('SHA256SUMS.sig', `${sign(null, Buffer.from(sums), key).toString('base64')}\n`)
  console.log(`zee ${version}: ${readdirSync(out).length} files in ${out}`)

  /**
   * @param {string} name
   * @param {string} text
   */
  function put(name, text) {
    writeFileSync(path.join(out, name), text)
  }
}

/** @param {string} file */
function signingKey(file) {
  if (file === '') throw new Error('name the private key with --key or ZEE_RELEASE_KEY')
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is not an ed25519 key`)
  return key
}

/**
 * @param {string} name
 * @param {string} out
 * @param {string} version
 */
function pack(name, out, version) {
  const folder = programFolder(name)
  if (!existsSync(path.join(folder, 'dist/main.cjs'))) {
    throw new Error(`${name} is not built: run npm run build`)
  }
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out]
  const printed = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  const [{ filename, version: packed }] = JSON.parse(printed)
  if (packed !== version) throw new Error(`${name} is ${packed}, zee is ${version}`)
  return filename
}

/**
 * Returns install.sh with the release key, the only key it trusts.
 * @param {import('node:crypto').KeyObject} key
 */
function installer(key) {
  const text = readFileSync(path.join(repository, 'install.sh'), 'utf8')
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString().trim()
  const filled = text.replace('@PUBLIC_KEY@', pem)
  if (filled === text) throw new Error('install.sh has no place for the public key')
  return filled
}

/**
 * A file of build/packaging with its marks replaced.
 * @param {string} name
 * @param {string} version
 * @param {string} tarball
 */
function packaging(name, version, tarball) {
  return readFileSync(path.join(repository, 'build/packaging', name), 'utf8')
    .replaceAll('@VERSION@', version)
    .replaceAll('@URL@', values.url)
    .replaceAll('@SHA256@', sha256(tarball))
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
