// Preloaded into a rehearsal. On exit it writes the list of loaded chunks or, if the command ran from its
// pack, the V8 code cache of the pack.
'use strict'
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const dist = process.env.ZEE_PACK_DIST ?? ''
const command = process.argv[2]
const file = (/** @type {string} */ kind) => path.join(dist, `${command}.${kind}`)
/** @type {vm.Script[]} */
const packs = []

vm.Script = class extends vm.Script {
  /**
   * @param {string} text
   * @param {vm.ScriptOptions} options
   */
  constructor(text, options) {
    super(text, options)
    if (options.filename === file('pack')) packs.push(this)
  }
}

process.on('exit', () => {
  const [pack] = packs
  if (pack !== undefined) return writeFileSync(file('code'), pack.createCachedData())
  const chunks = Object.keys(require.cache).filter((name) => path.dirname(name) === dist)
  writeFileSync(file('chunks'), JSON.stringify(chunks.map((name) => path.basename(name))))
})
