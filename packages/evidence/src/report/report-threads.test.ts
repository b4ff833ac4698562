import { readFileSync, symlinkSync, unlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { artifactText } from '../artifact/artifact.ts'
import { readRun, reportQueued, reportRun, type RunReportOptions } from './report.ts'

const options = { strictness: 'strict', computedAt: '2026-02-16T00:00:00.000Z' } as const
let lab: Lab
let attempts: LabAttempt[]
beforeEach(() => {
  lab = new Lab()
  attempts = Array.from({ length: 7 }, (_, index) => lab.complete({}, `00${index + 1}-hello-r1`))
})
afterEach(() => lab.remove())

const runFolder = () => attempts[0]?.runFolder ?? ''

const helpers: [string, NonNullable<RunReportOptions['helper']>][] = [
  ['reports attempts, too', async (queue) => structuredClone(await reportQueued(queue, options))],
  [
    'fails after it took an attempt',
    async ({ next }) => {
      Atomics.add(next, 0, 1)
      return new Map()
    },
  ],
]

test.each(helpers)('reportRun writes the same reports if a helper %s', async (_title, helper) => {
  const alone = artifactText((await readRun(runFolder(), options)).report)
  const { report, refused } = await reportRun(runFolder(), { ...options, helper })
  expect([artifactText(report), refused]).toEqual([alone, []])
  for (const attempt of attempts) {
    expect(JSON.parse(readFileSync(attempt.file('attempt.report.json'), 'utf8'))).toMatchObject({
      attemptId: attempt.ids.attemptId,
    })
  }
})

test.each(helpers)(
  'reportRun refuses attempts in their order if a helper %s',
  async (_title, helper) => {
    for (const index of [1, 4, 5]) unlinkSync(attempts[index]?.file('feedback.json') ?? '')
    const { refused } = await reportRun(runFolder(), { ...options, helper })
    expect(refused.map(({ attemptId }) => attemptId)).toEqual(
      [1, 4, 5].map((index) => attempts[index]?.ids.attemptId),
    )
  },
)

test('reportRun leaves a helper nothing to do after an error', async () => {
  symlinkSync('elsewhere', attempts[3]?.file('attempt.report.json') ?? '')
  let next = new Int32Array()
  const helper: RunReportOptions['helper'] = async (queue) => {
    next = queue.next
    return new Map()
  }
  await expect(reportRun(runFolder(), { ...options, helper })).rejects.toThrow('is a link')
  expect(next[0]).toBe(attempts.length)
})
