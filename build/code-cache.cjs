// Loads the files of a bundle together with the code that V8 compiled for them at build time, which
// saves a hot command some five milliseconds. V8 refuses the code of another V8 or of other flags and
// then compiles as usual, as for a file without any. Nothing is ever written here, so a read-only
// installation is as good as any. The build copies this file beside every bundle.
'use strict'
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const vm = require('node:vm')

/**
 * Where the compiled code of a file lies; another Node looks elsewhere and finds none.
 * @param {string} file
 */
function cacheFileOf(file) {
  return `${file}.${process.version}-${process.platform}-${process.arch}.cache`
}

/**
 * The same for whoever makes the cache and whoever uses it: V8 compares the source.
 * @param {string} source
 * @param {string} filename
 * @param {Buffer} [cachedData]
 */
function compile(source, filename, cachedData) {
  return new vm.Script(Module.wrap(source), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

/** From now on the files beside this one are loaded with their compiled code. */
function useCodeCache() {
  const prototype = /** @type {{ _compile: Function }} */ (Module.prototype)
  const compilePlainly = prototype._compile
  /**
   * @this {NodeJS.Module}
   * @param {string} source
   * @param {string} filename
   * @param {unknown[]} rest
   */
  prototype._compile = function (source, filename, ...rest) {
    const cachedData = path.dirname(filename) === __dirname ? readCache(filename) : undefined
    if (cachedData === undefined) return compilePlainly.call(this, source, filename, ...rest)
    const body = compile(source, filename, cachedData).runInThisContext()
    // A bundle asks for nothing but `require(id)`.
    const load = (/** @type {string} */ id) => this.require(id)
    return body.call(this.exports, this.exports, load, this, filename, __dirname)
  }
}

/** @param {string} file */
function readCache(file) {
  try {
    return readFileSync(cacheFileOf(file))
  } catch {
    return undefined
  }
}

module.exports = { cacheFileOf, compile, useCodeCache }
