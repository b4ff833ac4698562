#!/usr/bin/env node
// Starts zdx from its bundle. npm links this file before anything is built.
'use strict'
const { existsSync } = require('node:fs')
const path = require('node:path')
const bundle = path.join(__dirname, '../dist/main.cjs')
if (!existsSync(bundle)) {
  process.stderr.write('zdx: the bundle is missing: run npm run build\n')
  process.exit(1)
}
if (process.env.ZEE_DEBUG === '1') process.setSourceMapsEnabled(true)
else useCompiledCode()
require(bundle)

/** What the build compiled ahead; texts are printed by too little code to gain from it. */
function useCompiledCode() {
  const codeCache = path.join(__dirname, '../dist/code-cache.cjs')
  if (/^(?:-h|--help|--version)$/.test(process.argv.at(-1)) || !existsSync(codeCache)) return
  require(codeCache).useCodeCache()
}
