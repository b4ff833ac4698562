// The command line of the built program, without a model.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sandbox, services } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

describe('zino --help', () => {
  it('lists every service and the client', async () => {
    const ran = await box.zino(['--help'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    for (const name of [
      ...services,
      'up',
      'chat',
      'cli',
      'status',
      'stop',
      'logs',
      'memory',
      'init',
    ])
      expect(ran.stdout).toMatch(new RegExp(`^ +${name}\\b`, 'm'))
  })

  it('is printed by zino without a command', async () => {
    expect(await box.zino([])).toEqual(await box.zino(['--help']))
  })

  it.each([...services, 'up', 'chat', 'memory', 'memory add', 'init', 'logs'])(
    'explains %s',
    async (words) => {
      const ran = await box.zinoHere([...words.split(' '), '--help'])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain(`zino ${words}`)
      expect(ran.stdout).not.toContain('--supervised')
    },
  )
})

describe('an invalid command line', () => {
  it.each([
    ['nothing-like-this'],
    ['--nothing'],
    ['chat', '--nothing', 'x'],
    ['daemon', '--nothing'],
    ['daemon', 'surplus'],
    ['up', 'surplus'],
    ['chat', '--channel'],
    ['logs', '-n', 'many'],
    ['logs', 'missing'],
    ['memory', 'nothing'],
  ])('is refused with one line and exit code 2: %s %s', async (...args) => {
    const ran = await box.zinoHere(args.filter((word) => word !== undefined))
    expect(ran.code).toBe(2)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/^zino: [^\n]+\n$/)
  })
})

describe('an invalid configuration', () => {
  it.each([...services, 'up', 'status', 'stop', 'logs'])(
    'makes %s fail with a reason and without a socket',
    async (name) => {
      box.put('broken.toml', '[daemon\nsocket = ')
      box.put('wrong.toml', '[exc]\ntimeout = "long"\n')
      const reasons: [string, RegExp][] = [
        ['broken.toml', /broken\.toml:1/],
        ['wrong.toml', /wrong\.toml:2.*timeout/],
        ['absent.toml', /absent\.toml/],
      ]
      for (const [file, reason] of reasons) {
        const ran = await box.zinoHere([name, '--config', box.at(file)])
        expect(ran.code).not.toBe(0)
        expect(ran.stdout).toBe('')
        expect(ran.stderr).toMatch(/^zino: [^\n]+\n$/)
        expect(ran.stderr).toMatch(reason)
      }
      expect(existsSync(box.at('r'))).toBe(false)
    },
  )

  it('is reported with all paths that were searched', async () => {
    const missing = await box.zinoHere(['sys'], { cwd: box.at('home') })
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain(box.at('home', 'ZINO.toml'))
    expect(missing.stderr).toContain(box.at('home', '.config/zino/ZINO.toml'))
    expect(missing.stderr).toContain('/etc/zino/ZINO.toml')
    const named = await box.zinoHere(['sys'], {
      cwd: box.at('home'),
      env: { ZINO_CONFIG: box.at('named.toml') },
    })
    expect(named.stderr).toContain('named.toml')
  })
})

describe('zino init', () => {
  it('writes a private folder and keeps existing files', async () => {
    const ran = await box.zino(['init'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const folder = box.at('home', '.config/zino')
    for (const name of ['ZINO.toml', 'SYSTEM.md', 'tools/bash.json', 'skills/shell.json'])
      expect(existsSync(path.join(folder, name))).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(folder, 'ZINO.toml')).mode & 0o777).toBe(0o600)
    const toml = readFileSync(path.join(folder, 'ZINO.toml'), 'utf8')
    expect(toml).toContain(`socket = "${folder}/run/daemon.sock"`)
    box.put('home/.config/zino/SYSTEM.md', 'mine')
    const again = await box.zino(['init'])
    expect(again).toMatchObject({ code: 0 })
    expect(readFileSync(path.join(folder, 'SYSTEM.md'), 'utf8')).toBe('mine')
  })

  it('requires a folder argument without HOME', async () => {
    const ran = await box.zino(['init'], { env: { HOME: undefined } })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/^zino: HOME is not set[^\n]+\n$/)
  })

  it('refuses a folder whose socket paths would be too long', async () => {
    const ran = await box.zino(['init', box.at('x'.repeat(100))])
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(/^zino: [^\n]*bytes[^\n]*\n$/)
  })

  it('reports in one line that it cannot write', async () => {
    const ran = await box.zino(['init', '/proc/zino'])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^zino: [^\n]+\n$/)
  })
})
