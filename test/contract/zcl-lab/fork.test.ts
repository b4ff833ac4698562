// `zcl fork`, shims that serve a trace, and injected faults over the built program.
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

const project = new LabProject()
let failed = ''
let passed = ''

/** Asks for help, then takes the unit that the help names, or guesses. */
const agent = `
unit=$(counter --help)
if number=$(counter "$unit"); then zcl feedback --ok --result "$number"
else zcl feedback --fail --result "no such unit: $unit"; fi >&2
`

interface ForkJson extends Json {
  outcome: string
  attemptDir: string
  calls: Record<string, number>
  divergence: { call: number; recorded: string | null; made: string | null } | null
}

beforeAll(async () => {
  const tool = project.write(
    'bin/counter',
    '#!/bin/sh\ntouch "$RAN"\n[ "$1" = --help ] && { echo "$UNIT"; exit 0; }\n' +
      '[ "$1" = chars ] && { echo 80; exit 0; }\necho "unknown unit" >&2; exit 2\n',
  )
  chmodSync(tool, 0o755)
  project.agent(agent)
  const runs = []
  for (const UNIT of ['chars', 'letters']) {
    const run = await project.suiteRun(['--shim', 'counter'], ['./agent.sh'], toolEnv(UNIT))
    runs.push(path.join(run.folder, 'attempts/001-one-r1'))
  }
  ;[passed = '', failed = ''] = runs
})
afterAll(() => project.remove())

function toolEnv(UNIT: string): Record<string, string> {
  const PATH = `${project.folder}/bin:${process.env.PATH}`
  return { UNIT, PATH, RAN: path.join(project.folder, `ran-${UNIT}`) }
}

/** Forks without the tool on PATH. */
async function fork(args: readonly string[]): Promise<ForkJson> {
  const ran = await project.zcl(['fork', ...args, '--json'])
  expect(ran.code, ran.err).toBe(0)
  return JSON.parse(ran.out) as ForkJson
}

/** The trace without ids, times and the chain. */
function content(folder: string): string {
  const text = readFileSync(path.join(folder, 'tool.calls.jsonl'), 'utf8')
  return text.replaceAll(/"(?:ts|runId|id|parentId|chain|attemptId)":"[^"]*",?/g, '')
}

test('a fork without a patch reproduces the attempt byte for byte and runs no tool', async () => {
  const result = await fork([failed])
  expect(result).toMatchObject({ identical: true, flipped: false, outcome: 'failed' })
  expect(result.divergence).toBeNull()
  expect(result.calls).toEqual({ served: 2, patched: 0, borrowed: 0, live: 0, unrecorded: 0 })
  expect(content(result.attemptDir)).toBe(content(failed))
  const checked = await project.zcl(['validate', '--strict', '--json', result.attemptDir])
  expect(JSON.parse(checked.out)).toMatchObject({ ok: true, errors: [] })
})

test('an attempt id names the attempt and not its forks', async () => {
  const other = new LabProject()
  try {
    other.agent('zcl run -- echo hi >/dev/null; zcl feedback --ok --result hi >/dev/null')
    const run = await other.suiteRun([], ['./agent.sh'])
    for (const name of ['001-one-r1', '001-one-r1', 'latest']) {
      const { code, json } = await other.json(['fork', name, '--json'])
      expect(code).toBe(0)
      expect(json.source).toMatchObject({ runId: run.json.runId })
    }
  } finally {
    other.remove()
  }
})

test('a patched answer flips the outcome, and the fork reports where the agent departs', async () => {
  project.write('patch.json', { stdout: 'chars\n' })
  const result = await fork([failed, '--at', '1', '--patch', 'patch.json'])
  expect(result).toMatchObject({ at: 1, outcome: 'passed', flipped: true, identical: false })
  expect(result.divergence).toEqual({
    call: 2,
    recorded: 'counter letters',
    made: 'counter chars',
  })
  // The other attempt of the suite has an answer that this one never asked for.
  expect(result.calls).toMatchObject({ patched: 1, borrowed: 1, live: 0 })
  const [first] = readFileSync(path.join(result.attemptDir, 'tool.calls.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({
    result: { ok: true, exitCode: 0 },
    io: { outPreview: 'chars\n' },
    enrichment: { patched: true },
  })
})

test('--each tries the patch at every call; a call that no trace holds fails', async () => {
  project.write('odd.json', { stdout: 'furlongs\n', exitCode: 0 })
  const { forks } = await fork([passed, '--each', '--patch', 'odd.json'])
  expect(forks).toMatchObject([
    { at: 1, outcome: 'failed', flipped: true, calls: { patched: 1, unrecorded: 1 } },
    { at: 2, outcome: 'passed', calls: { served: 1, patched: 1 }, divergence: null },
  ])
})

test('a fork refuses calls, patches and flags that do not fit, and needs a runner', async () => {
  project.write('rpc.json', { result: {} })
  project.write('bad.json', { stdout: 1, out: '' })
  const cases: [string[], string][] = [
    [[failed, '--at', '3', '--patch', 'patch.json'], '--at 3: the attempt has 2 calls'],
    [[failed, '--at', '1', '--patch', 'rpc.json'], '--at 1 is a call of cli'],
    [[failed, '--at', '1', '--patch', 'bad.json'], "unknown key 'out'"],
    [[failed, '--patch', 'patch.json'], '--patch needs --at <call> or --each'],
  ]
  for (const [args, message] of cases) {
    const ran = await project.zcl(['fork', ...args])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain(message)
    expect(ran.err).toMatch(/^ZCL_E_USAGE: [^\n]*\n$/)
  }
})

test('wrappers of a served trace print the recorded answers in order, outside an attempt', async () => {
  const ran = await project.zcl(['shim', '--serve-trace', failed, '--dir', 'served', '--json'])
  expect(JSON.parse(ran.out)).toMatchObject({ shims: [{ tool: 'counter' }] })
  const shell = (script: string) =>
    project.zcl(['run', '--serve-trace', failed, '--', 'counter', script])
  expect(await shell('--help')).toMatchObject({ code: 0, out: 'letters\n', err: '' })
  expect(await shell('letters')).toMatchObject({ code: 2, out: '', err: 'unknown unit\n' })
  const unknown = await shell('other')
  expect(unknown).toMatchObject({ code: 125, out: '' })
  expect(unknown.err).toBe('ZCL_E_NOT_RECORDED: not in the recorded trace: counter other\n')
})

test('`suite run --dose` prints a pass rate with an interval for every rate of faults', async () => {
  const args = ['suite', 'run', '--file', 'suite.json', '--json', '--shim', 'counter']
  const flags = ['--inject', 'error', '--inject-seed', '7', '--dose', '0,100', '--total', '2']
  const ran = await project.zcl([...args, ...flags, '--', './agent.sh'], { env: toolEnv('chars') })
  expect(ran.code).toBe(0)
  const { curve } = JSON.parse(ran.out) as { curve: Json[] }
  expect(curve).toMatchObject([
    { dose: 0, passed: 2, total: 2, rate: 1 },
    { dose: 100, passed: 0, failed: 2, total: 2, rate: 0 },
  ])
  expect(curve[0]?.interval).toEqual({ low: expect.any(Number), high: 1 })
  const folder = project.runFolder(String(curve[1]?.runId))
  const trace = readFileSync(path.join(folder, 'attempts/001-one-r1/tool.calls.jsonl'), 'utf8')
  expect(JSON.parse(trace.split('\n')[0] ?? '')).toMatchObject({
    result: { ok: false, exitCode: 1 },
    io: { errPreview: 'injected by zcl\n' },
    enrichment: { injected: [{ kind: 'error' }], notStarted: true },
  })
})

test('`suite run --dose` fails if no attempt counts at any dose', async () => {
  const args = ['suite', 'run', '--file', project.suite(), '--inject', 'error', '--dose', '0,10']
  const { code, json, err } = await project.json([...args, '--json', '--', './no-such-agent'])
  expect([code, json.ok]).toEqual([2, false])
  expect(json.curve).toMatchObject([
    { infra: 1, rate: null },
    { infra: 1, rate: null },
  ])
  expect(err).toBe(
    'ZCL_E_MISSING_EVIDENCE: no attempt counts at any dose: all are infra failures\n',
  )
})
