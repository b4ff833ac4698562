import { afterEach, beforeEach, expect, it } from 'vitest'
import { feedback, Lab } from '../../test/lab.ts'
import { supersededTries } from './superseded.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

type Ending = 'nothing' | 'answer' | 'infra' | 'lab infra' | 'lab failed'

/** The superseded tries of attempts that ended like this. */
function superseded(endings: Readonly<Record<string, Ending>>): string[] {
  let runFolder = ''
  for (const [name, ending] of Object.entries(endings)) {
    const attempt = lab.attempt({}, name)
    runFolder = attempt.runFolder
    const judged = { schemaVersion: 1, ...attempt.ids, slot: 1, code: 'X', endedAt: '' }
    if (ending === 'answer') attempt.write('feedback.json', feedback(attempt))
    if (ending === 'infra') {
      const resultJson = { kind: 'infra_failure', code: 'X', message: 'x' }
      const { result: _, ...rest } = feedback(attempt, { ok: false })
      attempt.write('feedback.json', { ...rest, resultJson })
    }
    if (ending.startsWith('lab')) {
      const outcome = ending.slice(4)
      attempt.write('attempt.outcome.json', {
        ...{ ...judged, outcome, endedAt: '2026-02-15T18:00:31.000Z' },
      })
    }
  }
  return [...supersededTries(runFolder, Object.keys(endings))].sort()
}

it('the first try with an answer counts', () => {
  expect(
    superseded({
      '001-hello-r1': 'infra',
      '001-hello-r2': 'answer',
      '001-hello-r3': 'answer',
    }),
  ).toEqual(['001-hello-r1', '001-hello-r3'])
})

it('the latest try counts without an answer, in the order of the retries', () => {
  expect(
    superseded({
      '001-hello-r10': 'nothing',
      '001-hello-r2': 'infra',
      '001-hello-r9': 'lab infra',
    }),
  ).toEqual(['001-hello-r2', '001-hello-r9'])
})

it('an outcome of the lab decides whether a try has an answer', () => {
  expect(superseded({ '001-hello-r1': 'lab failed', '001-hello-r2': 'answer' })).toEqual([
    '001-hello-r2',
  ])
})

it('tries of other planned attempts do not supersede each other', () => {
  const endings = {
    '001-hello-r1': 'nothing',
    '002-hello-r1': 'answer',
    '001-other-r1': 'answer',
    'no attempt': 'answer',
  } as const
  expect(superseded(endings)).toEqual([])
})
