#!/usr/bin/env -S node --
// Starts zcl from its bundle. npm links this file before anything is built.
// The `--` above: without it Node 20 takes an `--env-file` of ours for its own.
'use strict'
const { existsSync } = require('node:fs')
const bundle = require('node:path').join(__dirname, '../dist/main.cjs')
if (!existsSync(bundle)) {
  process.stderr.write('zcl: the bundle is missing: run npm run build\n')
  process.exit(1)
}
if (process.env.ZEE_DEBUG === '1') process.setSourceMapsEnabled(true)
require(bundle)
