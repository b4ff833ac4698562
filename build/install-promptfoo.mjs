// node build/install-promptfoo.mjs: installs promptfoo, whose output the services tests import. It goes into
// one folder of the user's cache, without install scripts, with a Node that is new enough for it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const nodePackage = `node-linux-${process.arch}`
const versions = {
  promptfoo: '0.123.1',
  [nodePackage]: '22.22.0',
  // An optional dependency of promptfoo, which it does not start without; the other ones are left out.
  [`@libsql/linux-${process.arch}-gnu`]: '0.5.29',
}

const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
const installed = Object.values(versions).join('_')
const folder = process.env.ZEE_TEST_PROMPTFOO || path.join(cache, 'zee-promptfoo', installed)

/** The command of promptfoo. */
export const promptfooCommand = [
  path.join(folder, 'node_modules', nodePackage, 'bin/node'),
  path.join(folder, 'node_modules/promptfoo/dist/src/entrypoint.js'),
]

export const hasPromptfoo = existsSync(path.join(folder, 'ready'))

if (process.argv[1] === import.meta.filename && !hasPromptfoo) install()

function install() {
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: versions }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
  const flags = ['--ignore-scripts', '--omit=optional', '--engine-strict=false', ...quiet]
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' })
  writeFileSync(path.join(folder, 'ready'), '')
}
