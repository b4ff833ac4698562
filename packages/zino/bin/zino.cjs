#!/usr/bin/env node
// Starts zino from its bundle. npm links this file before the first build.
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const dist = join(__dirname, '../dist')
if (!existsSync(join(dist, 'main.cjs'))) {
  process.stderr.write('zino: the bundle is missing: run npm run build\n')
  process.exit(1)
}
// Global options may stand before the command. A pack contains the whole start, so that a wrong guess,
// such as the value of an option, costs time only.
const isPacked = (word) => /^[a-z]+$/.test(word) && existsSync(join(dist, `${word}.pack`))
const command = process.argv.slice(2).find(isPacked)
if (process.env.ZEE_DEBUG === '1') {
  process.setSourceMapsEnabled(true)
  require(join(dist, 'main.cjs'))
} else if (command !== undefined) {
  // Hot commands are packed into one file with a V8 code cache at build time.
  const { Script } = require('node:vm')
  const pack = join(dist, `${command}.pack`)
  const cachedData = readFileSync(join(dist, `${command}.code`))
  const script = new Script(readFileSync(pack, 'latin1'), { filename: pack, cachedData })
  script.runInThisContext()(require, dist)
} else {
  require(join(dist, 'main.cjs'))
}
