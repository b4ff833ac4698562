// Every command in a hostile repository, watched by strace: no program of the repository runs, no file
// outside is opened, no request reaches its address.
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../proof/hostile/commands.ts'
import type { Bait } from '../proof/hostile/traps.ts'
import { outsideNames, setTraps, trapNames } from '../proof/hostile/traps.ts'
import { builtProgram } from '../support/paths.ts'
import type { ProgramName } from '../support/run-program.ts'
import { runFile } from '../support/run-program.ts'

const hasStrace = spawnSync('strace', ['-V']).status === 0
const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-hostile-')))
const at = (name: string) => path.join(base, name)
const play = at('play.jsonl')
let server: Server
let connections = 0
let bait: Bait

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  bait = {
    repository: at('repository'),
    outside: at('outside'),
    loot: at('loot'),
    url: `http://127.0.0.1:${address.port}`,
  }
  setTraps(bait)
  mkdirSync(at('home'))
  writeFileSync(play, `${JSON.stringify({ text: 'hello' })}\n`)
})
afterAll(() => {
  server.close()
  rmSync(base, { recursive: true, force: true })
})

test('the repository has at least 25 traps', () => {
  expect(trapNames.length).toBeGreaterThanOrEqual(25)
})

test.skipIf(!hasStrace).for(Object.keys(commands) as ProgramName[])(
  'no command of %s runs, opens or sends what the repository wants',
  { timeout: 300_000 },
  async (program) => {
    const wrong: string[] = []
    const queue = [...commands[program]]
    const worker = async (): Promise<void> => {
      for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
        wrong.push(...(await watch(program, line)).map((what) => `${program} ${line}: ${what}`))
      }
    }
    await Promise.all([worker(), worker()])
    expect(wrong).toEqual([])
    expect(readdirSync(bait.loot)).toEqual([])
    expect(connections).toBe(0)
    expect(readdirSync(bait.outside).sort()).toEqual(outsideNames)
  },
)

/** Runs the command; returns the forbidden system calls. */
async function watch(program: ProgramName, line: string): Promise<string[]> {
  const args = line.split(' ').filter((word) => word !== '')
  const log = at(`strace-${program}-${args.join('-').replaceAll(/[^a-z-]/g, '')}`)
  const watched = ['-f', '-qq', '-y', '-s', '300', '--seccomp-bpf', '-e', 'signal=none']
  const ran = await runFile(
    'timeout',
    [
      ...[
        '-k',
        '1',
        '30',
        'strace',
        ...watched,
        '-e',
        'trace=execve,open,openat,openat2',
        '-o',
        log,
      ],
      ...[
        process.execPath,
        builtProgram(program),
        ...args.map((word) => (word === '{play}' ? play : word)),
      ],
    ],
    {
      cwd: bait.repository,
      env: {
        HOME: at('home'),
        XDG_CONFIG_HOME: undefined,
        ANTHROPIC_API_KEY: 'sk-ant-of-the-user',
        LLM_API_KEY: 'sk-of-the-user',
        NODE_EXTRA_CA_CERTS: undefined,
        OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1',
        LMSTUDIO_BASE_URL: 'http://127.0.0.1:9/v1',
        LLAMACPP_BASE_URL: 'http://127.0.0.1:9/v1',
        // A relative entry, as some users have it.
        PATH: `.:node_modules/.bin:${process.env.PATH}`,
      },
    },
  )
  const calls = readFileSync(log, 'utf8').split('\n')
  const wrong = calls.filter((call) => isForbidden(call))
  if (ran.stdout.includes('CANARY') || ran.stderr.includes('CANARY'))
    wrong.push('it prints a file outside')
  if (ran.code === 124) wrong.push('it does not end')
  return [...new Set(wrong.map((call) => call.replace(/^\d+ +/, '').slice(0, 200)))]
}

/** A program of the repository is started, or a file outside is opened. */
function isForbidden(call: string): boolean {
  if (!/= \d+(?:<|$)/.test(call)) return false
  if (call.includes('execve(')) {
    const file = /execve\("([^"]*)"/.exec(call)?.[1] ?? ''
    return !path.isAbsolute(file) || file.startsWith(bait.repository)
  }
  return new RegExp(`= \\d+<${bait.outside}(?:/|>)`).test(call)
}
