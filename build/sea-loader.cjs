// The first script inside a single executable: unpacks the program once into the user's cache, under
// a name that holds its hash, and starts it from there. Later starts only look whether it is there.
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
// A child of ours is started as node would start it: `<executable> <script> ...`.
if (args[0] === script) args.shift()
process.argv = [process.execPath, script, ...args]
createRequire(script)(script)

/** A folder of the user alone; where there is no home, one in the temp folder that nobody else made. */
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

/** Beside its place, then moved there: two first starts at once do not disturb each other. */
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
