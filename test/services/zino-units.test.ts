// The unit files of zino, read by systemd itself and by a parser of property lists: those that are shipped,
// and those of `zino service`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../contract/zino/sandbox.ts'
import { builtProgram, repository } from '../support/paths.ts'
import { hasPython, runPython } from './python.ts'

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

describe.skipIf(!hasPython)('a parser of property lists reads', () => {
  it('what `zino service install --manager launchd` writes, with names that have markup', async () => {
    const folder = box.at('a & <b> "c" $HOME 100%')
    const config = box.put(`${path.basename(folder)}/ZINO.toml`, readFileSync(box.config, 'utf8'))
    const args = ['service', 'install', '--print', '--manager', 'launchd', '--config', config]
    const { stdout } = await box.zino(args)
    const file = box.put('own/zino.plist', stdout)
    const source =
      'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))'
    const ran = await runPython(source, [file])
    expect(ran.stderr).toBe('')
    const plist = JSON.parse(ran.stdout) as { ProgramArguments: string[] }
    expect(plist).toMatchObject({
      ...{ Label: 'org.zee.zino', WorkingDirectory: folder, RunAtLoad: true },
      KeepAlive: { SuccessfulExit: false },
      EnvironmentVariables: { PATH: expect.any(String) },
    })
    expect(plist.ProgramArguments.slice(-3)).toEqual(['up', '--config', config])
    expect(plist.ProgramArguments.slice(0, 2)).toEqual(['/bin/sh', '-c'])
    // The shell that launchd starts reads the file of variables and then becomes the program.
    const shell = [...plist.ProgramArguments]
    const variables = shell[4] as string
    mkdirSync(path.dirname(variables), { recursive: true })
    writeFileSync(variables, 'LLM_API_KEY=from-the-file\n')
    const [command = '', ...words] = shell.slice(0, 5)
    const printed = spawnSync(command, [...words, 'printenv', 'LLM_API_KEY'], { encoding: 'utf8' })
    expect(printed.stdout).toBe('from-the-file\n')
  })
})
