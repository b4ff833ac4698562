import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { slotState } from './slot.ts'

let root: string
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'zcl-slot-'))))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const runId = '20260215-180012Z-09c5a6'

test('the state of a slot takes ids from folder names and leaves out mistyped members of an outcome', () => {
  const folder = path.join(root, 'runs', runId, 'attempts', '001-m-r1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'attempt.json'), '{}')
  const damaged = { attemptId: true, missionId: {}, code: 7, message: [], durationMs: 'x' }
  const outcome = { schemaVersion: 1, slot: 1, outcome: 'failed', exitCode: 3, ...damaged }
  writeFileSync(path.join(folder, 'attempt.outcome.json'), JSON.stringify(outcome))
  expect(slotState(root, runId, { slot: 1, missionId: 'm' })).toEqual({
    next: 2,
    latest: {
      ...{ attemptId: '001-m-r1', missionId: 'm', slot: 1, retry: 1, folder },
      ...{ outcome: 'failed', exitCode: 3, durationMs: 0 },
    },
  })
})
