// The start of every pack: loads chunks from the pack or from their files. The build copies the source of
// this function into each pack, so it may use its parameters only.
'use strict'

/**
 * @typedef {(exports: object, require: NodeRequire, module: object, file: string, folder: string) => void} Chunk
 * @param {Record<string, Chunk>} pack
 * @param {NodeRequire} outer finds what is not a chunk
 * @param {string} dist
 */
module.exports = function startPack(pack, outer, dist) {
  /** @type {Map<string, { exports: object }>} */
  const loaded = new Map()
  // All chunks load through this function, so each exists once.
  const load = (id) => {
    if (!id.startsWith('./')) return outer(id)
    const known = loaded.get(id)
    if (known !== undefined) return known.exports
    const run = pack[id] ?? fromFile(id)
    const module = { exports: {} }
    loaded.set(id, module)
    run(module.exports, load, module, `${dist}/${id.slice(2)}`, dist)
    return module.exports
  }
  const fromFile = (id) => {
    const filename = `${dist}/${id.slice(2)}`
    const { existsSync, readFileSync } = outer('node:fs')
    const text = readFileSync(filename, 'utf8')
    const source = `(function(exports,require,module,__filename,__dirname){${text}\n})`
    const code = `${filename}.code`
    const cachedData = existsSync(code) ? readFileSync(code) : undefined
    return new (outer('node:vm').Script)(source, { filename, cachedData }).runInThisContext()
  }
  load('./main.cjs')
}
