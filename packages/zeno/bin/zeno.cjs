#!/usr/bin/env node
// Starts zeno from its bundle. npm links this file before the first build.
'use strict'
const { closeSync, existsSync, fstatSync, openSync, readSync } = require('node:fs')
const { join } = require('node:path')
const dist = join(__dirname, '../dist')
if (!existsSync(join(dist, 'main.cjs'))) {
  process.stderr.write('zeno: the bundle is missing: run npm run build\n')
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
  const filename = join(dist, `${command}.pack`)
  const files = [openSync(filename), openSync(join(dist, `${command}.code`))]
  // Both files pass through one buffer: each fresh page of memory costs 2 µs.
  const buffer = Buffer.allocUnsafeSlow(Math.max(...files.map((file) => fstatSync(file).size)))
  const source = buffer.latin1Slice(0, readSync(files[0], buffer))
  const cachedData = buffer.subarray(0, readSync(files[1], buffer))
  files.forEach((file) => closeSync(file))
  new Script(source, { filename, cachedData }).runInThisContext()(require, dist)
} else {
  require(join(dist, 'main.cjs'))
}
