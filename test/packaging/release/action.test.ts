// action.yml: its shell steps run here, as GitHub would run them, with a small agent.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'

interface Step {
  id?: string
  name: string
  if?: string
  env?: Record<string, string>
  run?: string
  uses?: string
}

const action = parse(readFileSync(path.join(repository, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default?: string }>
  runs: { steps: Step[] }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Replaces the expressions `${{ inputs.x }}` and `${{ steps.id.outputs.x }}`. */
function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => values[name] ?? '')
}

test('the shell steps of action.yml run a suite on both branches, compare and write reports', async () => {
  const project = path.join(folder, 'project')
  mkdirSync(project)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: project,
      stdio: 'pipe',
    })
  const put = (name: string, text: string) => writeFileSync(path.join(project, name), text)
  put('suite.json', JSON.stringify({ suiteId: 's', missions: [{ missionId: 'one', prompt: 'x' }] }))
  put(
    'agent.sh',
    '#!/bin/sh\nzcl run -- true >/dev/null\nzcl feedback --ok --result x >/dev/null\n',
  )
  chmodSync(path.join(project, 'agent.sh'), 0o755)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'base')
  const values: Record<string, string> = {
    'inputs.suite': 'suite.json',
    'inputs.runner': './agent.sh',
    'inputs.base': 'HEAD',
    'inputs.total': '2',
    'inputs.parallel': '1',
    'inputs.fail-on': 'worse',
  }
  for (const { id, env = {}, run } of action.runs.steps) {
    if (id === undefined || run === undefined) continue
    const [output, summary] = ['output', 'summary'].map((name) => path.join(folder, name))
    writeFileSync(output as string, '')
    const own = Object.entries(env).map(([name, text]) => [name, filled(text, values)])
    const ran = await runFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: project,
      env: {
        ...Object.fromEntries(own),
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        HOME: folder,
        PATH: `${path.join(repository, 'node_modules/.bin')}:${process.env.PATH}`,
      },
    })
    expect(ran, `${id}: ${ran.stderr}`).toMatchObject({ code: 0 })
    for (const line of readFileSync(output as string, 'utf8')
      .trim()
      .split('\n')) {
      const [name, value = ''] = line.split('=')
      values[`steps.${id}.outputs.${name}`] = value
    }
  }
  const report = (name: string) => readFileSync(path.join(project, 'zcl-report', name), 'utf8')
  expect(report('comment.md')).toMatch(/\|/)
  expect(report('junit.xml')).toContain('<testsuite')
  expect(report('run.html')).toContain('id="zee-data"')
  expect(report('compare.html')).toContain('id="zee-data"')
  expect(values['steps.compare.outputs.report']).toBe('zcl-report/comment.md')
}, 60_000)

test('every expression of action.yml names an input, an output or a GitHub value', () => {
  const text = readFileSync(path.join(repository, 'action.yml'), 'utf8')
  const ids = action.runs.steps.flatMap(({ id }) => id ?? [])
  for (const [, name = ''] of text.matchAll(/\$\{\{ ([\w.-]+) \}\}/g)) {
    const [kind, key = ''] = name.split('.')
    if (kind === 'inputs') expect(Object.keys(action.inputs)).toContain(key)
    else if (kind === 'steps') expect(ids).toContain(key)
    else expect(kind).toBe('github')
  }
})
