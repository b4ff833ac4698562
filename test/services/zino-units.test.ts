// The unit files of zino, read by systemd itself: those that are shipped, and that of `zino service`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../contract/zino/sandbox.ts'
import { builtProgram, repository } from '../support/paths.ts'

const folder = path.join(repository, 'packages/zino/systemd')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

let box: Sandbox
beforeAll(() => {
  box = new Sandbox()
})
afterAll(() => box.remove())

/** What `systemd-analyze verify` says about files in one folder. */
function verify(files: readonly string[], ...options: string[]): { code: unknown; said: string } {
  const args = ['verify', '--man=no', ...options, ...files]
  const folders = { HOME: box.at('home'), XDG_RUNTIME_DIR: box.at('tmp') }
  const env = { ...process.env, ...folders }
  const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8', env })
  return { code: status, said: stderr }
}

/** Copies of the shipped units; the program that they start is the built one. */
function copied(kind: string): string[] {
  const names = readdirSync(path.join(folder, kind))
  return names.map((name) => {
    const text = readFileSync(path.join(folder, kind, name), 'utf8')
    return box.put(`${kind}/${name}`, text.replaceAll('/opt/zino/bin/zino', builtProgram('zino')))
  })
}

describe.skipIf(!hasSystemd)('systemd accepts', () => {
  it.each(['one-unit', 'separate-units'])('the units in %s', (kind) => {
    expect(verify(copied(kind))).toEqual({ code: 0, said: '' })
  })

  it('the unit of the user that is shipped', () => {
    expect(verify(copied('user'), '--user')).toEqual({ code: 0, said: '' })
  })

  it('the unit that `zino service install` writes', async () => {
    const args = ['service', 'install', '--print', '--manager', 'systemd', '--config', box.config]
    const { stdout } = await box.zino(args)
    const file = box.put('own/zino.service', stdout)
    expect(verify([file], '--user')).toEqual({ code: 0, said: '' })
  })
})
