#!/bin/sh
# Installs zdx, zeno, zino, zcl and zee from a release. Checks the signature of SHA256SUMS and the checksum
# of every file first. Needs only Node 20.19 or newer and tar.
#
#   sh install.sh [--from <folder or URL of a release>] [--prefix <dir>] [--allow-downgrade] [program...]
#
# It does not replace a newer version, unless --allow-downgrade is given: an old release has a valid
# signature too.
# The default release is the folder of this script, the default prefix ~/.local. Programs go to
# <prefix>/lib/zee, links to <prefix>/bin.
set -eu

# build/release.mjs inserts the public key of the release here.
public_key='@PUBLIC_KEY@'

here=$(CDPATH= cd -- "$(dirname -- "$0")" 2>/dev/null && pwd) || here=$PWD
for tool in node tar; do
  command -v "$tool" >/dev/null 2>&1 || { echo "install.sh: $tool is not installed" >&2; exit 1; }
done

ZEE_PUBLIC_KEY=$public_key exec node - "$here" "$@" <<'END_OF_INSTALLER'
'use strict'
const { execFileSync } = require('node:child_process')
const { createHash, createPublicKey, verify } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

main(process.argv.slice(2)).catch((error) => {
  console.error(`install.sh: ${error.message}`)
  process.exitCode = 1
})

async function main([here, ...args]) {
  checkNode()
  const { from, prefix, names, allowsDowngrade } = options(args, here)
  const sums = await checkedSums(from)
  const release = JSON.parse((await checkedFile(from, 'release.json', sums)).toString())
  const wanted = names.length === 0 ? release.programs.map(({ name }) => name) : names
  const programs = wanted.map((name) => {
    const found = release.programs.find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no program '${name}' in this release`)
    return found
  })
  if (!allowsDowngrade) for (const name of wanted) checkVersion(name, release.version, prefix)
  // Checks every file before it writes the first one.
  const tarballs = []
  for (const { name, file } of programs) {
    tarballs.push({ name, bytes: await checkedFile(from, file, sums) })
  }
  for (const { name, bytes } of tarballs) install(name, bytes, release.version, prefix)
  const bin = path.join(prefix, 'bin')
  const isOnPath = (process.env.PATH ?? '').split(path.delimiter).includes(bin)
  console.log(`zee ${release.version}: ${wanted.join(', ')} in ${bin}`)
  if (!isOnPath) console.log(`${bin} is not on your PATH yet`)
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Node 20.19 or newer is needed, this is ${process.versions.node}`)
}

function options(args, here) {
  const found = { from: here, prefix: path.join(os.homedir(), '.local'), names: [], allowsDowngrade: false }
  for (let index = 0; index < args.length; index++) {
    const name = /^--(from|prefix)$/.exec(args[index])?.[1]
    if (name !== undefined) {
      if (!args[index + 1]) throw new Error(`--${name} needs a value`)
      found[name] = args[++index]
    } else if (args[index] === '--allow-downgrade') found.allowsDowngrade = true
    else if (args[index].startsWith('-')) throw new Error(`unknown option '${args[index]}'`)
    else found.names.push(args[index])
  }
  found.prefix = path.resolve(found.prefix)
  return found
}

/** Refuses to replace a newer version. */
function checkVersion(name, version, prefix) {
  const installed = installedVersion(name, prefix)
  if (installed === undefined || compareVersions(installed, version) <= 0) return
  throw new Error(
    `${name} ${installed} is installed, this release is ${version}: nothing was installed; ` +
      'use --allow-downgrade to install the older version',
  )
}

/** The version that the link in `<prefix>/bin` leads to. */
function installedVersion(name, prefix) {
  try {
    const target = fs.readlinkSync(path.join(prefix, 'bin', name))
    const folder = path.basename(path.dirname(path.dirname(target)))
    return folder.startsWith(`${name}-`) ? folder.slice(name.length + 1) : undefined
  } catch {
    return undefined
  }
}

/** By semantic versioning: numbers first, then a pre-release is older than its release. */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => {
    const [core, ...pre] = version.split('+')[0].split('-')
    return { numbers: core.split('.').map(Number), pre: pre.join('-') }
  })
  for (let index = 0; index < 3; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.pre === '' || b.pre === '') return Number(a.pre === '') - Number(b.pre === '')
  return a.pre.localeCompare(b.pre, 'en', { numeric: true })
}

/** Returns the SHA-256 per file name, after checking the signature. */
async function checkedSums(from) {
  const key = process.env.ZEE_PUBLIC_KEY
  if (!key.includes('BEGIN PUBLIC KEY')) {
    throw new Error('this copy has no key in it: use the install.sh of a release')
  }
  const list = await read(from, 'SHA256SUMS')
  const signature = Buffer.from((await read(from, 'SHA256SUMS.sig')).toString().trim(), 'base64')
  const isSigned = signature.length === 64 && verify(null, list, createPublicKey(key), signature)
  if (!isSigned) throw new Error('SHA256SUMS is not signed by the key of zee; nothing was installed')
  const lines = list.toString().split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

async function checkedFile(from, name, sums) {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`'${name}' is not a file name`)
  const bytes = await read(from, name)
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (sums.get(name) === sum) return bytes
  throw new Error(`${name} does not have the checksum that was signed; nothing was installed`)
}

async function read(from, name) {
  if (!/^https?:\/\//.test(from)) {
    try {
      return fs.readFileSync(path.join(from, name))
    } catch (error) {
      throw new Error(`cannot read ${path.join(from, name)}: ${error.code}`)
    }
  }
  const url = `${from.replace(/\/+$/, '')}/${name}`
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) }).catch((error) => {
    throw new Error(`cannot get ${url}: ${error.cause?.code ?? error.message}`)
  })
  if (!response.ok) throw new Error(`cannot get ${url}: HTTP ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Unpacks beside the target folder, renames it into place and replaces the link atomically. */
function install(name, tarball, version, prefix) {
  const home = path.join(prefix, 'lib/zee')
  const bin = path.join(prefix, 'bin')
  for (const folder of [home, bin]) fs.mkdirSync(folder, { recursive: true })
  const target = path.join(home, `${name}-${version}`)
  const unpacked = fs.mkdtempSync(`${target}.`)
  try {
    execFileSync('tar', ['-xzf', '-', '--strip-components=1', '-C', unpacked], { input: tarball })
    fs.chmodSync(unpacked, 0o755)
    const old = `${unpacked}.old`
    if (fs.existsSync(target)) fs.renameSync(target, old)
    fs.renameSync(unpacked, target)
    fs.rmSync(old, { recursive: true, force: true })
  } finally {
    fs.rmSync(unpacked, { recursive: true, force: true })
  }
  const program = path.join(target, 'bin', `${name}.cjs`)
  fs.chmodSync(program, 0o755)
  const link = path.join(bin, `.${name}.${process.pid}`)
  fs.symlinkSync(path.relative(bin, program), link)
  fs.renameSync(link, path.join(bin, name))
}
END_OF_INSTALLER
