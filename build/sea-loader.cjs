// The entry script of a single executable: unpacks the program into the user's cache, in a folder named
// after its hash, and starts it from there. Later starts only check that the folder exists.
'use strict'
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const { getAsset } = require('node:sea')

const { name, digest, files } = JSON.parse(getAsset('manifest.json', 'utf8'))
const place = path.join(cacheFolder(), `${name}-${digest}`)
if (!existsSync(place)) unpack()

const script = path.join(place, 'bin', `${name}.cjs`)
const args = process.argv.slice(2)
// Children start as with node: `<executable> <script> ...`.
if (args[0] === script) args.shift()
process.argv = [process.execPath, script, ...args]
createRequire(script)(script)

/** A private cache folder: in the home folder or, without one, in the temporary folder if this user owns it. */
function cacheFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env
  const base = XDG_CACHE_HOME || (HOME ? path.join(HOME, '.cache') : undefined)
  const folder =
    base === undefined ? path.join(os.tmpdir(), `zee-${process.getuid()}`) : path.join(base, 'zee')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(folder)
  if (uid === process.getuid() && (mode & 0o022) === 0) return folder
  process.stderr.write(`${name}: ${folder} can be written by others: set XDG_CACHE_HOME\n`)
  process.exit(1)
}

/** Unpacks beside the target and renames, so that two concurrent first starts do not interfere. */
function unpack() {
  const fresh = mkdtempSync(`${place}.`)
  for (const file of files) {
    const target = path.join(fresh, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, Buffer.from(getAsset(file)))
  }
  try {
    renameSync(fresh, place)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
}
