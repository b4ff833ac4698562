// node build/install-python.mjs: installs the Python packages that the services tests use: programs that open
// what zee exports, and clients of its servers. They go into one folder of the user's cache.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const installer = 'uv==0.13.7'
const packages = ['inspect-ai==0.3.285', 'openai==3.49.0', 'opentelemetry-proto==1.45.2']
/** Only its models are used, which need pydantic alone and work below its minimum version of Python. */
const withoutDependencies = ['harbor==0.25.0']

const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
const versions = [...packages, ...withoutDependencies].map((name) => name.split('==')[1]).join('_')

const folder = process.env.ZEE_TEST_PYTHON || path.join(cache, 'zee-python', versions)
const ready = path.join(folder, 'ready')

/** The folder of the packages, for PYTHONPATH; undefined if they are not installed. */
export const pythonFolder = existsSync(ready) ? path.join(folder, 'packages') : undefined

if (process.argv[1] === import.meta.filename && pythonFolder === undefined) install()

function install() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  /** @param {string} program @param {string[]} args */
  const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' })
  // pip resolves and unpacks these packages four times slower than uv.
  const uv = path.join(folder, 'uv')
  run('python3', ['-m', 'pip', 'install', '--quiet', '--target', uv, installer])
  const target = ['--python', 'python3', '--target', path.join(folder, 'packages')]
  const install = ['pip', 'install', '--quiet', '--compile-bytecode', ...target]
  run(path.join(uv, 'bin/uv'), [...install, ...packages])
  const any = ['--no-deps', '--python-version', '3.13']
  run(path.join(uv, 'bin/uv'), [...install, ...any, ...withoutDependencies])
  rmSync(uv, { recursive: true, force: true })
  writeFileSync(ready, '')
}
