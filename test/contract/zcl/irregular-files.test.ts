// Files that zcl is to read, but that are pipes, devices or sparse.
import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { Project } from './project.ts'

let project: Project
beforeEach(() => {
  project = new Project()
})
afterEach(() => project.remove())

const at = (name: string): string => path.join(project.folder, name)

const kinds: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'an endless device': (file) => symlinkSync('/dev/zero', file),
  'a sparse file of 1 TB': (file) => {
    project.write(path.relative(project.folder, file), '')
    truncateSync(file, 1024 ** 4)
  },
}

const commands: readonly [file: string, command: string][] = [
  ['suite.yaml', 'suite plan --file suite.yaml'],
  ['rows.csv', 'suite plan --file from.json'],
  ['spec.yaml', 'campaign lint --spec spec.yaml'],
  ['zcl.config.json', 'trust'],
  ['.claude', 'hooks install --for claude'],
]

describe.each(Object.keys(kinds))('%s', (kind) => {
  test.each(commands)('in place of %s ends `zcl %s` with an error', async (file, command) => {
    const missions = { from: 'rows.csv' }
    project.write('from.json', JSON.stringify({ suiteId: 's', missions }))
    const target = file === '.claude' ? '.claude/settings.json' : file
    if (file === '.claude') project.write('.claude/other', '')
    kinds[kind]?.(at(target))
    const { code, err } = await project.zcl(command.split(' '))
    expect(code).toBe(1)
    expect(err).toMatch(/^ZCL_E_IO: [^\n]*(not a regular file|larger than \d+ MiB|leads out of)/)
  })

  test('in place of the configuration ends `zcl run` before the command starts', async () => {
    const { env } = await project.start()
    kinds[kind]?.(at('zcl.config.json'))
    const { code, out, err } = await project.zcl(['run', '--', 'echo', 'ran'], { env })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/zcl\.config\.json: it is (not a regular file|larger than 16 MiB)\n$/)
  })
})

test('a suite may come from a pipe that the shell of the user has opened', () => {
  const suite = JSON.stringify({ suiteId: 'piped', missions: [{ missionId: 'a' }] })
  const line = '"$0" suite plan --json --file <(sleep 0.1; printf %s "$1")'
  const env = { ...process.env, HOME: project.home }
  const ran = spawnSync('bash', ['-c', line, builtProgram('zcl'), suite], {
    cwd: project.folder,
    env,
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  expect(JSON.parse(ran.stdout)).toMatchObject({ suiteId: 'piped' })
})
