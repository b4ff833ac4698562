import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { harborMissions } from './harbor.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zcl-harbor-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(base, name)), { recursive: true })
  writeFileSync(path.join(base, name), text)
}
const mission = (missionId: string, prompt: string) => ({
  missionId,
  prompt,
  tags: ['harbor'],
  workspace: {},
})

describe('harborMissions', () => {
  it('has one mission for each folder with a task and an instruction', () => {
    write('A/task.toml', '')
    write('A/instruction.md', 'a')
    write('b/task.toml', '')
    write('c/instruction.md', 'c')
    expect(harborMissions(base, 'shown', ['A', 'b', 'c'])).toEqual([mission('a', 'a')])
  })

  it('takes the folder itself for a task', () => {
    write('A/task.toml', '')
    write('A/instruction.md', 'a')
    expect(harborMissions(path.join(base, 'A'), 'x', [])).toEqual([mission('a', 'a')])
  })

  it.each<[string, object]>([
    ['[agent]\ntimeout_sec = 0.0015', { timeoutMs: 2 }],
    ['[agent]\ntimeout_sec = 0', {}],
    ['[agent]\nother_sec = 5', {}],
    ['timeout_sec = 5\n[other]\ntimeout_sec = 6', {}],
    ['[ agent ]\n  timeout_sec  =  "7"', { timeoutMs: 7000 }],
    ["[environment]\ndocker_image = 'a:1'", { container: { image: 'a:1' } }],
    [
      '[environment]\ndocker_image = "a:1"\n[agent]\ntimeout_sec = 1',
      { container: { image: 'a:1' }, timeoutMs: 1000 },
    ],
  ])('reads %j', (toml, part) => {
    write('A/task.toml', toml)
    write('A/instruction.md', 'a')
    expect(harborMissions(base, 'x', ['A'])).toEqual([{ ...mission('a', 'a'), ...part }])
  })

  it('has the environment as its workspace and the tests as its verifier', () => {
    write('A/task.toml', '[verifier]\ntimeout_sec = 3\n[agent]\ntimeout_sec = 4')
    write('A/instruction.md', 'a')
    write('A/environment/x', '')
    write('A/tests/test.sh', '')
    expect(harborMissions(base, 'x', ['A'])).toEqual([
      {
        ...mission('a', 'a'),
        timeoutMs: 4000,
        workspace: { path: 'x/A/environment' },
        verify: [{ command: expect.any(String), files: { tests: 'x/A/tests' }, timeoutMs: 3000 }],
      },
    ])
  })
})

/** Runs the verifier with this script in a workspace. */
function verified(script: string): { output: string; code: number; script: string } {
  write('A/task.toml', '')
  write('A/instruction.md', 'a')
  write('A/tests/test.sh', script)
  const [made] = harborMissions(base, 'x', ['A'])
  const [{ command = '' } = {}] = (made?.verify ?? []) as { command?: string }[]
  const cwd = path.join(base, 'A')
  const home = path.join(base, 'home')
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home }
  const rewritten = () => readFileSync(path.join(cwd, 'tests/test.sh'), 'utf8')
  try {
    const output = execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' })
    return { output, code: 0, script: rewritten() }
  } catch (error) {
    const { stdout, status } = error as { stdout: string; status: number }
    return { output: stdout, code: status, script: rewritten() }
  }
}

describe('the verifier of a Harbor task', () => {
  it('ends with the exit code of the tests, whose folders lie in the workspace', () => {
    const { code, output, script } = verified(
      'echo in; cat /tests/a /logs/verifier/b ./tests/c /app/tests/d 2> /dev/null; exit 3\n',
    )
    expect({ code, output }).toEqual({ code: 3, output: 'in\n' })
    expect(script).toBe(
      `echo in; cat ${base}/A/tests/a ${base}/home/logs/b ./tests/c /app/tests/d 2> /dev/null; exit 3\n`,
    )
  })

  it.each([
    ['echo 0.5 > /logs/verifier/reward.txt; exit 1', '\n{"rewards":"0.5"}\n'],
    [`printf '{"a":\\n1}' > /logs/verifier/reward.json; exit 1`, '\n{"rewards":{"a":1}}\n'],
    [
      'echo 1 > /logs/verifier/reward.txt; echo 2 > /logs/verifier/reward.json',
      '\n{"rewards":2}\n',
    ],
  ])('tells the reward of %j', (script, output) => {
    expect(verified(`export logs\n${script}\n`)).toMatchObject({ code: 0, output })
  })
})
