#!/usr/bin/env -S node --
// Starts zee from its bundle. `zee zdx ...` becomes zdx: the process loads that program's launcher
// instead, so signals, the terminal and the exit code are those of zdx. A single-file executable has no
// launcher beside it: dist/pass-on.cjs starts the executable of zdx. npm links this file before the first
// build. Without the `--` above, Node 20 parses an `--env-file` argument as its own.
'use strict'
const { existsSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const name = process.argv[2] ?? ''
const isProgram = ['zdx', 'zeno', 'zino', 'zcl'].includes(name)
// The packages lie side by side. install.sh adds the version to the name of each folder.
const folder = basename(dirname(__dirname)).replace(/^zee/, name)
const launcher = join(__dirname, '../..', folder, 'bin', `${name}.cjs`)
const main = join(__dirname, isProgram ? '../dist/pass-on.cjs' : '../dist/main.cjs')
if (isProgram && existsSync(launcher)) {
  process.argv.splice(1, 2, launcher)
  require(launcher)
} else if (existsSync(main)) {
  if (process.env.ZEE_DEBUG === '1') process.setSourceMapsEnabled(true)
  require(main)
} else {
  process.stderr.write('zee: the bundle is missing: run npm run build\n')
  process.exit(1)
}
