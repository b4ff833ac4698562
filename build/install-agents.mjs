// node build/install-agents.mjs: installs the coding agents that the services tests run beside ours.
// They go into one folder of the user's cache, without their install scripts; each version is exact.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const versions = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@google/gemini-cli': '0.61.0',
  '@mariozechner/pi-coding-agent': '0.73.1',
  '@openai/codex': '0.166.0',
  'opencode-ai': '1.18.33',
}

const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
const installed = Object.values(versions).join('_')

/** The folder of the installed agents; its name has their versions. */
export const agentsFolder = process.env.ZEE_TEST_AGENTS || path.join(cache, 'zee-agents', installed)

/** The agents' executables. The launchers of two packages work only after their install scripts. */
export const agentPrograms = {
  claude: path.join(
    agentsFolder,
    `node_modules/@anthropic-ai/claude-code-linux-${process.arch}/claude`,
  ),
  codex: path.join(agentsFolder, 'node_modules/.bin/codex'),
  gemini: path.join(agentsFolder, 'node_modules/.bin/gemini'),
  opencode: path.join(agentsFolder, `node_modules/opencode-linux-${process.arch}/bin/opencode`),
  pi: path.join(agentsFolder, 'node_modules/.bin/pi'),
}

if (process.argv[1] === import.meta.filename) install()

function install() {
  if (Object.values(agentPrograms).every((program) => existsSync(program))) return
  mkdirSync(agentsFolder, { recursive: true })
  const manifest = { private: true, dependencies: versions }
  writeFileSync(path.join(agentsFolder, 'package.json'), JSON.stringify(manifest))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  execFileSync('npm', ['install', ...flags], { cwd: agentsFolder, stdio: 'inherit' })
}
