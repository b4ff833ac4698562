// `zcl compare` and `zcl stats`: answers, exit codes and output formats.
import { existsSync, readFileSync } from 'node:fs'
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
  test('exits 2 with ZCL_E_REGRESSION and the full answer on stdout when B is worse beyond noise', async () => {
    const ran = await project.json(['compare', good, bad])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_REGRESSION: .*\n$/)
    expect(ran.json).toMatchObject({ ok: false, verdict: 'worse', suiteId: 'smoke' })
    expect(ran.json.passRate).toMatchObject({ a: 1, b: 0.2, difference: -0.8 })
    expect(ran.json.settings).toEqual({ seed: 1, resamples: 10_000, alpha: 0.05 })
  })

  test('exits 0 when B is better, equal or within noise', async () => {
    const better = await project.json(['compare', bad, good])
    expect([better.code, better.json.verdict, better.err]).toEqual([0, 'better', ''])
    const equal = await project.json(['compare', good, good])
    expect([equal.code, equal.json.verdict]).toEqual([0, 'equal'])
    const [one, other] = [
      project.store({ missions: { a: '+' } }),
      project.store({ missions: { a: '-' } }),
    ]
    const noise = await project.json(['compare', one, other])
    expect([noise.code, noise.json.verdict]).toEqual([0, 'within_noise'])
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
      expect(first.code).toBe(2)
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
    expect(markdown.code).toBe(2)
    expect(markdown.out).toMatch(/^B is worse beyond noise: .*\ncomment\.md written\n$/)
    expect(project.read('comment.md')).toMatch(/^### zcl: worse beyond noise\n/)
    expect(project.read('comment.md')).toContain('| a | 5/5 | 1/5 |')
    const junit = await project.json(['compare', good, bad, '--format', 'junit', '--out', 'j.xml'])
    expect(junit.json.verdict).toBe('worse')
    expect(project.read('j.xml')).toContain('type="ZCL_E_REGRESSION"')
  })

  test('does not count infra failures and missing outcomes as failed', async () => {
    const apart = project.store({ missions: missions('+++++ii?') })
    const ran = await project.json(['compare', good, apart])
    expect([ran.code, ran.json.verdict]).toEqual([0, 'equal'])
    expect(ran.json.b).toMatchObject({ passed: 35, failed: 0, infra: 14, missing: 7 })
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
