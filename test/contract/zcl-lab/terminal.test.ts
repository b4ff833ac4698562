// Progress on a real terminal: `script` (util-linux) provides a pty and forwards the screen.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { cleanEnvironment, until } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const columns = 70

function onTerminal(words: readonly string[]) {
  const line = `stty cols ${columns}; exec ${[builtProgram('zcl'), ...words].join(' ')}`
  const env = { ...cleanEnvironment(), HOME: lab.home, TERM: 'xterm', NO_COLOR: '1' }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: lab.folder, env })
  let screen = ''
  child.stdout.on('data', (chunk) => (screen += chunk))
  return { screen: () => screen, ended: once(child, 'close').then(([code]) => code as number) }
}

/** The lines of every state of the screen that was drawn in place. */
function shown(screen: string): string[] {
  return screen.split(/\r\u001b\[K(?:\u001b\[A\u001b\[K)*|\r\n/)
}

test('`zcl suite run` shows its progress on a terminal and then prints the answer', async () => {
  const long = 'a-mission-with-a-very-long-name-that-no-line-has-room-for'
  lab.suite([{ missionId: long }, { missionId: 'b' }])
  const agent = lab.agent(
    `echo "agent $ZCL_MISSION_ID speaks"; until [ -f go ]; do sleep 0.05; done
[ "$ZCL_MISSION_ID" = b ] || ok=--ok; zcl feedback \${ok:---fail} --result x >/dev/null 2>&1`,
  )
  const args = [
    'suite',
    'run',
    '--file',
    'suite.json',
    '--parallel',
    '2',
    '--allow-unproven',
    '--',
    agent,
  ]
  const { screen, ended } = onTerminal(args)
  await until(() => screen().includes('0/2  0 passed, 0 failed, 0 infra'), 'the line')
  await until(() => /^ {2}2 {2}002-b-r1 {2}\d+ s {2}agent b speaks/m.test(screen()), 'the worker')
  lab.write('go', '')
  expect(await ended).toBe(2)
  const text = screen()
  expect(text).toMatch(/001-a-mission\S+ {2}passed {2}[^\r\n]* (?:ms|s)\r?$/m)
  expect(text).toMatch(/002-b-r1 {2}failed {2}[^\r\n]*the agent reported a failure\r?$/m)
  expect(text).toContain('1 passed, 1 failed, 0 infra')
  const lines = shown(text).filter((line) => /^(\d+\/2| {2}\d) {2}/.test(line))
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.length).toBeLessThan(columns)
})

test('`zcl campaign run` shows running attempts, and stores what runners print in files', async () => {
  lab.write('m/one.md', 'go')
  lab.write('campaign.yaml', {
    schemaVersion: 1,
    campaignId: 'c',
    allowUnproven: true,
    missionSource: { path: 'm' },
    flows: [
      {
        flowId: 'a',
        runner: {
          type: 'process_cmd',
          command: [
            lab.agent(
              'echo spoken; until [ -f "$OLDPWD/go" ] || [ -f go ]; do sleep 0.05; done; zcl feedback --ok --result x >/dev/null 2>&1',
            ),
          ],
        },
      },
    ],
  })
  const { screen, ended } = onTerminal(['campaign', 'run', '--spec', 'campaign.yaml'])
  await until(() => /^ {2}one {2}a {2}\d+ s/m.test(screen()), 'the running attempt')
  lab.write('go', '')
  expect(await ended).toBe(0)
  const text = screen()
  expect(text).toMatch(/^\r?(?:\u001b\[[AK])*one {2}a {2}passed {2}/m)
  expect(text).toMatch(/mission {2}a\r\n {2}one {6}passed\r\n/)
  expect(text).not.toContain('spoken')
  const logs = readdirSync(lab.folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.log'),
  )
  expect(logs.map((file) => path.basename(path.dirname(file)))).toEqual(['runner-output'])
  expect(readFileSync(path.join(lab.folder, logs[0] ?? ''), 'utf8')).toBe('spoken\n')
})

test('the reason of a finished attempt breaks between words on a terminal', async () => {
  lab.suite([{ missionId: 'one' }])
  const flags = ['--file', 'suite.json', '--allow-unproven']
  const { screen, ended } = onTerminal(['suite', 'run', ...flags, '--', 'false'])
  await ended
  const lines = screen().replaceAll('\r', '').split('\n')
  const at = lines.findIndex((line) => line.includes('001-one-r1  infra '))
  expect(lines[at]).toMatch(/ the runner ended with exit code 1( before)?$/)
  expect(lines[at + 1]).toMatch(/^ {2}\S/)
})

test('an error breaks between words on a terminal', async () => {
  const { screen, ended } = onTerminal(['plan', '--missions', '3'])
  expect(await ended).toBe(2)
  expect(screen()).toBe(
    "ZCL_E_USAGE: required option '--effect <share>' not specified (see\r\n  'zcl plan --help')\r\n",
  )
})

test('`zcl compare` cuts the names of missions on a narrow terminal, and no figures', async () => {
  const missionId = 'a-mission-with-a-very-long-name-that-no-line-has-room-for'
  lab.suite([{ missionId }])
  const agent = lab.agent('zcl feedback --ok --result x >/dev/null 2>&1')
  const runs: string[] = []
  for (const _ of [1, 2]) {
    const { json } = await lab.suiteRun(['--allow-unproven'], [agent])
    runs.push(String(json.runId))
  }
  const { screen, ended } = onTerminal(['compare', ...runs])
  await ended
  const rows = screen().split('\r\n')
  const row = rows.find((line) => line.startsWith('a-mission')) ?? ''
  expect(row).toMatch(/^a-mission\S*… {2}1\/1 {2}1\/1 {2}0\.0 {5}1\.000 {5}undecided$/)
  expect(row.length).toBeLessThanOrEqual(columns)
  expect(screen()).toMatch(/^cost USD +- +- +not measured +-\r$/m)
})
