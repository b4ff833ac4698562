#!/usr/bin/env node
// Starts zdx from its bundle. npm links this file before anything is built.
'use strict'
const { existsSync } = require('node:fs')
const bundle = require('node:path').join(__dirname, '../dist/main.cjs')
if (!existsSync(bundle)) {
  process.stderr.write('zdx: the bundle is missing: run npm run build\n')
  process.exit(1)
}
if (process.env.ZEE_DEBUG === '1') process.setSourceMapsEnabled(true)
require(bundle)
