// API keys appear in no command line, in no environment of an unrelated child, and in no stored
// file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { answer, fakeAnthropic, say } from '../../support/fake-anthropic.ts'
import { runProgram } from '../../support/run-program.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-secret-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const key = 'sk-ant-api03-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0'

/** Prints the command lines of all processes and the environment of the child. */
const look = [
  'for line in /proc/[0-9]*/cmdline; do tr "\\0" " " < "$line"; echo; done 2>/dev/null',
  'echo ENVIRONMENT; env',
].join('; ')

function storedText(root: string): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

it('a command of zdx sees the key neither in its environment nor in any command line', async () => {
  const model = await fakeAnthropic([answer({ tool: 'bash', input: { command: look } }), say('ok')])
  try {
    const home = path.join(folder, 'zdx')
    const env = { HOME: folder, ZDX_HOME: home, ...model.env, ANTHROPIC_API_KEY: key }
    const ran = await runProgram('zdx', ['exec', '-p', 'look around'], { cwd: folder, env })
    expect(ran.code, ran.stderr).toBe(0)
    expect(model.requests[0]?.headers['x-api-key']).toBe(key)
    const seen = JSON.stringify(model.requests[1]?.body)
    expect(seen).toContain('ENVIRONMENT')
    expect(seen).not.toContain(key)
    expect(ran.stdout + ran.stderr).not.toContain(key)
    expect(storedText(home)).not.toContain(key)
  } finally {
    await model.close()
  }
})

it('a script of zino sees the key neither in its environment nor in any command line', async () => {
  const play = path.join(folder, 'zino.jsonl')
  const call = JSON.stringify({ name: 'execute_bash', arguments: { code: look } })
  const steps = [{ text: `<tool_call>\n${call}\n</tool_call>\n` }, { end: true }, { text: 'ok' }]
  writeFileSync(play, steps.map((step) => JSON.stringify(step)).join('\n'))
  const env = { HOME: folder, LLM_API_KEY: key, ZINO_CONFIG: path.join(folder, 'z/ZINO.toml') }
  const run = (...args: string[]) => runProgram('zino', args, { cwd: folder, env })
  await run('init', 'z', '--script', play, '--sockets', 'z/run')
  try {
    expect((await run('up', '--detach')).code).toBe(0)
    const { stdout } = await run('chat', '--stream', 'look around')
    expect(stdout).toContain('ENVIRONMENT')
    expect(stdout).toContain(' mem ')
    expect(stdout).not.toContain(key)
  } finally {
    await run('stop')
  }
  expect(storedText(path.join(folder, 'z'))).not.toContain(key)
})

it('zcl stores no key that a command prints', async () => {
  const env = { HOME: folder, MY_SERVICE_TOKEN: 'hush-hush-0123456789' }
  const options = { cwd: folder, env }
  await runProgram('zcl', ['init'], options)
  const start = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
  const { stdout } = await runProgram('zcl', start, options)
  const attempt = (JSON.parse(stdout) as { env: Record<string, string> }).env
  const ran = await runProgram(
    'zcl',
    ['run', '--capture', '--', 'sh', '-c', 'env; echo "$1" >&2', 'sh', key],
    {
      ...options,
      env: { ...env, ...attempt },
    },
  )
  expect(ran.stdout).toContain('hush-hush-0123456789')
  const stored = storedText(path.join(folder, '.zcl'))
  expect(stored.includes('MY_SERVICE_TOKEN')).toBe(true)
  expect(stored.includes('hush-hush-0123456789')).toBe(false)
  expect(stored.includes(key)).toBe(false)
})
