// Preloaded into a rehearsal. On exit it writes the list of loaded chunks or, if the command ran from its
// pack, the V8 code cache of the pack. With ZEE_PACK_CHUNKS=1 it writes that of each chunk outside the pack.
'use strict'
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const dist = process.env.ZEE_PACK_DIST ?? ''
const command = process.argv[2]
const file = (/** @type {string} */ kind) => path.join(dist, `${command}.${kind}`)
/** @type {vm.Script[]} */
const packs = []
/** @type {Map<string, vm.Script>} */
const chunks = new Map()

vm.Script = class extends vm.Script {
  /**
   * @param {string} text
   * @param {vm.ScriptOptions} options
   */
  constructor(text, options) {
    super(text, options)
    const { filename = '' } = options
    if (filename === file('pack')) packs.push(this)
    else if (path.dirname(filename) === dist) chunks.set(filename, this)
  }
}

process.on('exit', () => {
  const [pack] = packs
  if (process.env.ZEE_PACK_CHUNKS === '1') {
    for (const [name, script] of chunks) writeFileSync(`${name}.code`, script.createCachedData())
    return
  }
  if (pack !== undefined) return writeFileSync(file('code'), pack.createCachedData())
  const loaded = Object.keys(require.cache).filter((name) => path.dirname(name) === dist)
  writeFileSync(file('chunks'), JSON.stringify(loaded.map((name) => path.basename(name))))
})
