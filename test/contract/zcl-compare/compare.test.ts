// `zcl compare` and `zcl stats`: answers, exit codes and output formats.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { filesBelow } from '../zcl/project.ts'
import { RunsProject } from './stored-runs.ts'

const project = new RunsProject()
afterAll(() => project.remove())

const missions = (marks: string) =>
  Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, marks]))
const good = project.store({ missions: missions('+++++') })
const bad = project.store({ missions: missions('+----'), calls: 4 })

describe('zcl compare', () => {
  test('exits 0 without a gate and gives two verdicts with one p-value each', async () => {
    const ran = await project.json(['compare', good, bad])
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.json).toMatchObject({ schemaVersion: 2, ok: true, suiteId: 'smoke', gate: null })
    expect(ran.json.onTheseMissions).toMatchObject({
      name: 'on these missions',
      verdict: 'worse',
      difference: -0.8,
      p: 0,
      exact: true,
    })
    expect(ran.json.onMissionsLikeThese).toMatchObject({
      name: 'on missions like these',
      verdict: 'worse',
      p: 0.015625,
    })
    expect(ran.json.settings).toEqual({ seed: 1, resamples: 10_000, alpha: 0.05, margin: 0.05 })
  })

  test('--fail-on worse exits 2 with ZCL_E_REGRESSION and the full answer on stdout', async () => {
    const ran = await project.json(['compare', good, bad, '--fail-on', 'worse'])
    expect(ran.code).toBe(2)
    expect(ran.err).toBe('ZCL_E_REGRESSION: B is worse on these missions\n')
    expect(ran.json).toMatchObject({ ok: false, gate: { failOn: 'worse', failed: true } })
    const fine = await project.json(['compare', bad, good, '--fail-on', 'worse'])
    expect([fine.code, fine.json.ok, fine.err]).toEqual([0, true, ''])
  })

  test('--fail-on worse also exits 2 for infra failures above --max-infra', async () => {
    const lossy = project.store({ missions: missions('++++i') })
    const gate = ['compare', good, lossy, '--fail-on', 'worse', '--max-infra']
    const stopped = await project.zcl([...gate, '0.1'])
    expect(stopped.code).toBe(2)
    expect(stopped.err).toMatch(/20\.0% of its attempts to infra failures \(limit 10\.0%\)/)
  })

  test('bounds attempts whose evidence is refused, instead of dropping their missions', async () => {
    const hidden = project.store({ missions: missions('+') })
    const attempts = path.join(project.runFolder(hidden), 'attempts')
    for (const name of readdirSync(attempts).slice(1)) {
      const trace = path.join(attempts, name, 'tool.calls.jsonl')
      rmSync(trace)
      symlinkSync('/etc/hostname', trace)
    }
    const gate = ['compare', good, hidden, '--fail-on', 'worse', '--max-infra', '1.0']
    const { code, json } = await project.json(gate)
    expect(json.lost).toMatchObject({ b: { missing: 6, share: 0.857143 } })
    expect(code).toBe(2)
  })

  test('says equal only after an equivalence test, else undecided with the interval', async () => {
    const equal = await project.json(['compare', good, good, '--margin', '0.2'])
    expect(equal.json.onTheseMissions).toMatchObject({ verdict: 'equal', p: 1 })
    const narrow = await project.zcl(['compare', good, good])
    expect(narrow.out).toMatch(
      /^on these missions: undecided; B minus A 0\.0 points \(95% interval -/m,
    )
    const few = { a: '+', b: '+' }
    const small = await project.zcl(['compare', project.store({ missions: few }), good])
    expect(small.out).toContain('too few missions to generalise')
  })

  test('exits 1 with ZCL_E_NOT_COMPARABLE and writes nothing when the runs share no mission', async () => {
    const other = project.store({ missions: { z: '+' } })
    const before = filesBelow(project.folder)
    const ran = await project.json(['compare', good, other, '--out', 'answer.json'])
    expect(ran.code).toBe(1)
    expect(ran.err).toMatch(/^ZCL_E_NOT_COMPARABLE: .*only in A.*\n$/)
    expect(ran.json).toMatchObject({ ok: false, code: 'ZCL_E_NOT_COMPARABLE' })
    expect(filesBelow(project.folder)).toEqual(before)
  })

  test('treats a mission with a changed prompt as a different mission', async () => {
    const suite = (prompt: string) => ({
      version: 1,
      suiteId: 'smoke',
      missions: [{ missionId: 'a', prompt }, { missionId: 'b' }],
    })
    const one = project.store({ missions: { a: '+', b: '+' }, suite: suite('do it') })
    const two = project.store({ missions: { a: '+', b: '+' }, suite: suite('do it now') })
    const { json } = await project.json(['compare', one, two])
    expect(json.notCompared).toEqual([{ missionId: 'a', reason: 'content_differs' }])
    expect((json.missions as { missionId: string }[]).map((each) => each.missionId)).toEqual(['b'])
  })

  test('refuses runs with different harness settings unless --any-profile is given', async () => {
    const stored = (comparabilityKey: string) =>
      project.store({ missions: { a: '+' }, summary: { comparabilityKey, attempts: [] } })
    const [one, two] = [stored('x'), stored('y')]
    const refused = await project.zcl(['compare', one, two])
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain('--any-profile')
    expect((await project.zcl(['compare', one, two, '--any-profile'])).code).toBe(0)
  })

  test('writes the same bytes in every format for the same seed and runs', async () => {
    for (const format of ['text', 'json', 'markdown', 'junit']) {
      const args = ['compare', good, bad, '--format', format, '--seed', '7']
      const [first, second] = [await project.zcl(args), await project.zcl(args)]
      expect(first.code).toBe(0)
      expect(first.out.length).toBeGreaterThan(100)
      expect(second.out).toBe(first.out)
    }
  })

  test('writes Markdown and JUnit to --out and the verdict to stdout', async () => {
    const markdown = await project.zcl([
      'compare',
      good,
      bad,
      '--format',
      'markdown',
      '--out',
      'comment.md',
    ])
    expect(markdown.code).toBe(0)
    expect(markdown.out).toMatch(
      /^on these missions: worse; .*\non missions like these: .*\ncomment\.md written\n$/,
    )
    expect(project.read('comment.md')).toMatch(/^### zcl: worse on these missions\n/)
    expect(project.read('comment.md')).toContain('| a | 5/5 | 1/5 |')
    const junit = await project.json(['compare', good, bad, '--format', 'junit', '--out', 'j.xml'])
    expect(junit.json.onTheseMissions).toMatchObject({ verdict: 'worse' })
    expect(project.read('j.xml')).toContain('type="ZCL_E_REGRESSION"')
  })

  test('bounds infra failures and missing outcomes instead of dropping them', async () => {
    const apart = project.store({ missions: missions('+++++ii?') })
    const ran = await project.json(['compare', good, apart])
    expect(ran.json.b).toMatchObject({ passed: 35, failed: 0, infra: 14, missing: 7 })
    expect(ran.json.onTheseMissions).toMatchObject({ verdict: 'undecided: infra' })
    expect(ran.json.lost).toMatchObject({
      b: { infra: 14, missing: 7, share: 0.375 },
      bounds: { worst: -0.375, best: 0 },
      onTheseMissions: { allFailed: 'worse', allPassed: 'undecided' },
    })
  })

  test('plans the number of attempts that a change of --effect needs', async () => {
    const { json } = await project.json(['compare', good, good, '--effect', '0.2', '--power', '.9'])
    expect(json.plan).toMatchObject({ effect: 0.2, power: 0.9, missions: 7 })
    expect((json.plan as { attemptsPerMission: number }).attemptsPerMission).toBeGreaterThan(1)
  })

  test.each([
    [['compare', good], 'B'],
    [['compare', good, 'no-such-run'], 'neither'],
    [['compare', good, bad, '--effect', '2'], 'between 0 and 1'],
    [['compare', good, bad, '--fail-on', 'better'], 'worse'],
    [['compare', good, bad, '--max-infra', '2'], 'between 0 and 1'],
    [['plan', '--missions', '10'], '--effect'],
    [['plan', '--missions', '9', '--effect', '.6', '--rate', '.5'], 'impossible'],
    [['compare', good, bad, '--margin', '0'], 'both excluded'],
    [['compare', good, bad, '--format', 'yaml'], 'yaml'],
    [['compare', good, bad, '--json', '--format', 'junit'], 'stdout'],
    [['stats'], 'run'],
    [['stats', good, '--k', '0'], 'whole numbers'],
  ])('%j exits 2 with ZCL_E_USAGE', async (args, word) => {
    const ran = await project.zcl(args)
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_USAGE: .*\n$/)
    expect(ran.err).toContain(word)
    expect(ran.out).toBe('')
  })

  test('refuses an attempt folder in place of a run', async () => {
    const attempt = path.join(project.runFolder(good), 'attempts/001-a-r1')
    const ran = await project.zcl(['compare', attempt, bad])
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringContaining('is an attempt, not a run') as string,
    ])
  })
})

describe('zcl plan', () => {
  test('takes 1.0 and 0.0 as pass rates', async () => {
    for (const rate of ['1.0', '1', '0.0', '0']) {
      const args = ['plan', '--missions', '5', '--effect', '.1', '--rate', rate]
      expect((await project.json(args)).json).toMatchObject({ rate: Number(rate) })
    }
  })

  test('prints the attempts per mission and side for a difference and a power', async () => {
    const ran = await project.json(['plan', '--missions', '20', '--effect', '0.1'])
    expect(ran.json).toMatchObject({ ok: true, missions: 20, effect: 0.1, power: 0.8, rate: 0.5 })
    expect(ran.json.attemptsPerMission).toBe(20)
    expect(ran.json.attemptsTotal).toBe(800)
    const text = await project.zcl(['plan', '--missions', '1', '--effect', '.2', '--power', '.9'])
    expect(text.out).toMatch(/^a difference of 20 points at power 0\.9 needs \d+ attempts/)
  })
})

describe('zcl stats', () => {
  test('prints rates with intervals, pass@k, pass^k and costs by suite and by mission', async () => {
    const ran = await project.json(['stats', good, bad, '--k', '1,5'])
    expect([ran.code, ran.err]).toEqual([0, ''])
    const [suite] = ran.json.suites as [Record<string, unknown>]
    expect(suite).toMatchObject({ suiteId: 'smoke', attempts: 70, passed: 42, failed: 28 })
    expect(suite.passAt).toEqual([
      { k: 1, passAtK: 0.6, passHatK: 0.6 },
      { k: 5, passAtK: 1, passHatK: 0.02381 },
    ])
    expect(suite.measures).toMatchObject({ toolCalls: { p50: 3, max: 4 }, bytes: { min: 202 } })
  })

  test('counts a run that is named twice once', async () => {
    const twice = await project.json(['stats', good, project.runFolder(good)])
    expect((twice.json.suites as { attempts: number }[])[0]?.attempts).toBe(35)
  })

  test('prints infra failures and missing outcomes as separate counts', async () => {
    const run = project.store({ missions: { a: '++-i?' } })
    const ran = await project.zcl(['stats', run])
    expect(ran.out).toContain('5 attempts: 2 passed, 1 failed, 1 infra, 1 without outcome')
    expect(ran.out).toMatch(/pass rate\s+66\.7% \(20\.8% to 93\.9%\)/)
  })

  test('writes no cache, and neither does zcl compare', () => {
    expect(existsSync(path.join(project.folder, '.zcl/cache'))).toBe(false)
    const folder = path.join(project.runFolder(good), 'attempts/001-a-r1')
    expect(existsSync(path.join(folder, 'attempt.report.json'))).toBe(false)
    expect(readFileSync(path.join(folder, 'feedback.json'), 'utf8')).toContain('"ok": true')
  })
})
