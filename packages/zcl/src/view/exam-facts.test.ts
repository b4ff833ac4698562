import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examFacts } from './exam-facts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zcl-exam-facts-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, value: unknown): void =>
  writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
const facts = () => examFacts({ path: folder, within: folder })

test('an attempt without an exam has no exam on its page', () => {
  write('attempt.json', { mode: 'ci' })
  expect(facts()).toEqual({})
})

test('the page has the diff, the output of verifiers, scores, votes and the isolation', () => {
  write('attempt.json', { isolation: 'namespace', isolationTool: 'bwrap', network: 'none' })
  write('workspace.json', { retained: true, changes: { added: 1, modified: 0, deleted: 2 } })
  write('workspace.diff', '+x\n')
  const step = { command: ['sh', 't.sh'], ok: false, exitCode: 1, message: 'no', stdout: 'out' }
  write('verify.result.json', { steps: [{ ...step, durationMs: 5, stderr: 'e'.repeat(20_000) }] })
  write('score.result.json', { findings: [{ scorer: 'exact', ok: false, message: 'differs' }] })
  write('judge.result.json', { ok: null, model: 'm', votes: [{ status: 'refused', message: 'r' }] })
  expect(facts().exam).toMatchObject({
    isolation: 'namespace by bwrap, network none',
    workspace: { added: 1, deleted: 2, diff: { text: '+x\n' }, isRetained: true },
    verifiers: [{ command: 'sh t.sh', ok: false, stdout: { text: 'out' } }],
    scores: [{ scorer: 'exact', message: 'differs' }],
    judge: { model: 'm', votes: [{ status: 'refused', reason: 'r' }] },
  })
  expect(facts().exam?.verifiers[0]?.stderr.cutBytes).toBe(20_000 - 16_384)
})

test('damaged files are left out', () => {
  write('workspace.json', '{')
  write('verify.result.json', { steps: 'none' })
  write('judge.result.json', [])
  expect(facts()).toEqual({})
})
