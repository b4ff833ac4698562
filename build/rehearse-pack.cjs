// Starts a command from its pack like the launchers do, in a folder that the build has not renamed yet.
'use strict'
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const dist = process.env.ZEE_PACK_DIST ?? ''
const filename = join(dist, `${process.argv[2]}.pack`)
const cachedData = readFileSync(join(dist, `${process.argv[2]}.code`))
new Script(readFileSync(filename, 'latin1'), { filename, cachedData }).runInThisContext()(
  require,
  dist,
)
