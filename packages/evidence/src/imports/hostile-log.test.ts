import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  artifact,
  folder,
  now,
  redactor,
  removeLogs,
  secret,
  traceOf,
  write,
} from '../../test/imported-log.ts'
import { validate } from '../validate/validate.ts'
import { importLog, type ImportRequest, type ImportResult } from './imports.ts'

afterAll(removeLogs)

function imported(name: string, log: unknown, over: Partial<ImportRequest> = {}) {
  const outRoot = path.join(folder, 'out')
  const file = write(`${name}.json`, log)
  const request = { format: 'atif', path: file, outRoot, suite: undefined, env: {} } as const
  return importLog({ ...request, redactor, now, ...over })
}

function expectValid({ runFolder }: ImportResult): void {
  expect(validate(runFolder, runFolder, { strict: true })).toMatchObject({ ok: true, errors: [] })
}

const trajectory = (step: object, more: object = {}) => ({
  steps: [{ source: 'agent', ...step }],
  ...more,
})
/** The JSON of a log with lists of this depth in place of `@5000`; `JSON.stringify` cannot write them. */
const nested = (log: object) =>
  JSON.stringify(log).replace(/"@(\d+)"/g, (_, depth: string) => {
    const [open, close] = ['[', ']'].map((bracket) => bracket.repeat(Number(depth)))
    return `${open}1${close}`
  })

describe('a hostile or damaged log', () => {
  it('without a time is imported once, whenever it is imported again', async () => {
    const log = trajectory({ message: 'x' })
    const first = await imported('timeless', log)
    const later = { now: new Date('2027-01-01T00:00:00Z') }
    const again = await imported('timeless', log, later)
    expect([first.isNew, again.isNew, again.runId]).toEqual([true, false, first.runId])
  })

  it('with a time after the year 9999 is valid', async () => {
    const results = [{ success: true, latencyMs: 1e300, testCase: {} }]
    const log = { results, timestamp: '2026-04-01T10:00:00Z' }
    expectValid(await imported('late', log, { format: 'promptfoo' }))
    const call = { function_name: 'x' }
    const step = { timestamp: '+012345-01-01T00:00:00Z', message: 'x', tool_calls: [call] }
    const far = trajectory(step, { extra: { ok: true } })
    expectValid(await imported('far', far))
  })

  it('with input and scores that nest 5,000 levels deep is stored without them', async () => {
    const call = { function_name: 'deep', arguments: '@5000' }
    const run = await imported('deep', nested(trajectory({ tool_calls: [call] })))
    expect(traceOf(run)).toMatchObject([{ input: '[TRUNCATED]' }])
    const scores = { a: { value: 1 }, b: { value: true, answer: '@5000' } }
    const sample = { id: 'one', scores: { ...scores, c: { value: '@200' } } }
    const log = { eval: {}, samples: [sample, { ...sample, scores }] }
    const graded = await imported('scores', nested(log), { format: 'inspect' })
    expect(graded.attempts.map(({ ok }) => ok)).toEqual([null, true])
  })

  it('keeps no secret of a name, and none that a cut shortens', async () => {
    const calls = [{ function_name: `${'x'.repeat(180)} ${secret}` }, { function_name: secret }]
    const text = `${'y'.repeat(16_384 - 20)} ${secret}`
    const end = { source: 'agent', message: text, extra: { outcome: true } }
    const log = {
      steps: [{ source: 'agent', tool_calls: calls }, { source: secret }, end],
      extra: { ok: true, mission_id: secret },
    }
    const run = await imported('secrets', log)
    expect(run.unmapped).toEqual({ 'step [REDACTED:GITHUB_TOKEN]': 1 })
    const stored = [JSON.stringify(run), JSON.stringify(artifact(run, 'feedback.json'))]
    const trace = path.join(run.runFolder, 'attempts', run.attempts[0]?.attemptId ?? '')
    stored.push(readFileSync(path.join(trace, 'tool.calls.jsonl'), 'utf8'))
    for (const each of stored) expect(each).not.toMatch(/ghp_/i)
    expectValid(run)
  })

  it('has at most 51 kinds of records without a place', async () => {
    const steps = Array.from({ length: 200 }, (_, n) => ({ source: `s${n}` }))
    const { unmapped } = await imported('kinds', { steps })
    expect(Object.keys(unmapped)).toHaveLength(51)
    expect(unmapped['of other kinds']).toBe(150)
  })

  it('leaves no run if an attempt cannot be stored', async () => {
    let outRoot = path.join(folder, 'long')
    while (outRoot.length < 3985) {
      outRoot = path.join(outRoot, 'x'.repeat(Math.min(200, 3985 - outRoot.length)))
    }
    mkdirSync(outRoot, { recursive: true })
    const log = trajectory({ message: 'x' }, { extra: { mission_id: 'm'.repeat(64) } })
    await expect(imported('long', log, { outRoot })).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    })
    expect(readdirSync(path.join(outRoot, 'runs'))).toEqual([])
    expect(readdirSync(outRoot)).toEqual(['runs'])
  })
})
