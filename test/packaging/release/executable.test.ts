// A single-file executable runs without Node, unpacks itself once into a private folder, and starts
// its own child processes.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { injectBlob } from '../../../build/sea-inject.mjs'
import { makeExecutable } from '../../../build/sea.mjs'

const temporary = mkdtempSync(path.join(os.tmpdir(), 'zx-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const programs = path.join(temporary, 'programs')
let zcl = ''
let zino = ''
let zee = ''
beforeAll(() => {
  zcl = makeExecutable('zcl', programs)
  zino = makeExecutable('zino', programs)
  zee = makeExecutable('zee', programs)
}, 120_000)

interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs with an empty environment and without node on the PATH. */
function run(file: string, args: string[], env: Record<string, string>): Promise<Ran> {
  const options = { cwd: temporary, env: { PATH: '/nowhere', ...env } }
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
        stdout,
        stderr,
      }),
    )
  })
}

function home(name: string): string {
  const folder = path.join(temporary, name)
  mkdirSync(folder)
  return folder
}

describe('a single-file executable', () => {
  it('runs without Node and unpacks into a folder with mode 0700', async () => {
    const HOME = home('h1')
    const ran = await run(zcl, ['--version'], { HOME })
    expect(ran).toEqual({ code: 0, stdout: expect.stringMatching(/^zcl \d/), stderr: '' })
    const cache = path.join(HOME, '.cache/zee')
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^zcl-[0-9a-f]{16}$/)])
  })

  it('unpacks once when six processes start at the same time', async () => {
    const HOME = home('h2')
    const runs = Array.from({ length: 6 }, () => run(zcl, ['contract', '--json'], { HOME }))
    const answers = await Promise.all(runs)
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1)
    expect(answers.every(({ code }) => code === 0)).toBe(true)
    expect(readdirSync(path.join(HOME, '.cache/zee'))).toHaveLength(1)
  })

  it('treats the flags of Node as its own arguments', async () => {
    const HOME = home('h3')
    const ran = await run(zcl, ['--inspect'], { HOME })
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("'--inspect'") })
  })

  it('runs without HOME, and refuses a folder that others can write to', async () => {
    const TMPDIR = home('tmp')
    expect((await run(zcl, ['--version'], { TMPDIR })).code).toBe(0)
    chmodSync(path.join(TMPDIR, `zee-${process.getuid?.()}`), 0o777)
    expect(await run(zcl, ['--version'], { TMPDIR })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can be written by others'),
    })
  })

  it('traces a command', async () => {
    const HOME = home('h4')
    const started = await run(
      zcl,
      ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json'],
      {
        HOME,
      },
    )
    const { env } = JSON.parse(started.stdout) as { env: Record<string, string> }
    const ran = await run(zcl, ['run', '--', '/bin/echo', 'traced'], { HOME, ...env })
    expect(ran).toEqual({ code: 0, stdout: 'traced\n', stderr: '' })
    const shown = await run(zcl, ['show', env.ZCL_OUT_DIR ?? ''], { HOME })
    expect(shown.stdout).toContain('calls      1')
  })

  it('starts the services of zino', async () => {
    const HOME = home('h5')
    writeFileSync(path.join(HOME, 'play.jsonl'), '{"text":"hello"}\n')
    const say = (...args: string[]) =>
      run(zino, args, { HOME, ZINO_CONFIG: path.join(HOME, 'z/ZINO.toml') })
    const flags = ['--script', path.join(HOME, 'play.jsonl'), '--sockets', path.join(HOME, 'r')]
    expect((await say('init', path.join(HOME, 'z'), ...flags)).code).toBe(0)
    try {
      expect(await say('up', '--detach')).toMatchObject({ code: 0 })
      expect(await say('chat', 'hi')).toMatchObject({ code: 0, stdout: 'hello\n' })
    } finally {
      expect(await say('stop')).toMatchObject({ stdout: 'zino has stopped\n' })
    }
  })
})

describe('the executable of zee', () => {
  it('passes commands on to the executables beside it', async () => {
    const HOME = home('h6')
    expect(await run(zee, ['zcl', '--version'], { HOME })).toEqual(
      await run(zcl, ['--version'], { HOME }),
    )
    const help = await run(zcl, ['--help'], { HOME })
    expect(await run(zee, ['zcl', '--help'], { HOME })).toEqual(help)
    const wrong = await run(zee, ['zcl', 'run', '--bogus'], { HOME })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("'--bogus'") })
  })

  it('finds the executables beside it under shorter names', async () => {
    const HOME = home('h7')
    const bin = path.join(temporary, 'bin')
    mkdirSync(bin)
    for (const file of [zcl, zee])
      linkSync(file, path.join(bin, path.basename(file).replace(/-.*/, '')))
    const ran = await run(path.join(bin, 'zee'), ['zcl', '--version'], { HOME })
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^zcl \d/) })
  })

  it('checks the programs beside it, and names the executable that is missing', async () => {
    const HOME = home('h8')
    const { stdout } = await run(zee, ['doctor', '--json'], { HOME })
    const { checks } = JSON.parse(stdout) as { checks: { id: string }[] }
    const about = (name: string) => checks.find(({ id }) => id === name)
    expect(about('zcl')).toMatchObject({ status: 'ok' })
    expect(about('zino')).toMatchObject({ status: 'ok' })
    const missing = path.join(programs, path.basename(zee).replace('zee', 'zdx'))
    expect(JSON.stringify(about('zdx'))).toContain(`looked for ${missing}`)
    expect(await run(zee, ['zdx', '--version'], { HOME })).toEqual({
      code: 1,
      stdout: '',
      stderr: `zee: zdx is not installed beside zee (looked for ${missing})\n`,
    })
  })
})

it.each([
  ['a shell script', Buffer.from('#!/bin/sh\nexit 0\n'.padEnd(100))],
  ['a 32-bit ELF file', Buffer.from('7f454c4601010100'.padEnd(200, '0'), 'hex')],
])('injectBlob refuses %s', (_what, bytes) => {
  expect(() => injectBlob(bytes, Buffer.from('x'))).toThrow(/not a 64-bit/)
})
