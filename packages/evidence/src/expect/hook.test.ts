import { realpathSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import type { ReportFile } from '../schema/schema.ts'
import { hookFailures } from './hook.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt()
})
afterEach(() => lab.remove())

/** The failures of a hook that is this shell script. */
async function failuresOf(script: string, hookTimeoutMs?: number): Promise<string[][]> {
  const report = { ...attempt.ids, ok: true, result: 'done' } as unknown as ReportFile
  const expected = {
    hookCommand: ['sh', '-c', script],
    ...(hookTimeoutMs === undefined ? {} : { hookTimeoutMs }),
  }
  const env = { PATH: process.env.PATH, OWN: 'kept' }
  const found = await hookFailures(expected as never, { folder: attempt.folder, report, env })
  return found.map(({ code, message }) => [code, message])
}

it('a mission without a hook has no failures of it', async () => {
  const subject = { folder: attempt.folder, report: {} as ReportFile, env: {} }
  expect(await hookFailures(undefined, subject)).toEqual([])
  expect(await hookFailures({ hookCommand: [] } as never, subject)).toEqual([])
})

it('a hook runs in the folder of the attempt with its environment, and reads the result', async () => {
  const script = 'cat > subject.json; env > env.txt; pwd > pwd.txt'
  expect(await failuresOf(script)).toEqual([])
  expect(attempt.json('subject.json')).toEqual({
    ...attempt.ids,
    attemptDir: attempt.folder,
    ok: true,
    result: 'done',
  })
  expect(attempt.read('subject.json').endsWith('}\n')).toBe(true)
  expect(attempt.read('pwd.txt').trim()).toBe(realpathSync(attempt.folder))
  const env = attempt.read('env.txt')
  expect(env).toContain('OWN=kept\n')
  expect(env).toContain(`ZCL_ATTEMPT_ID=${attempt.ids.attemptId}\n`)
})

it.each([
  ['exit 3', 'the hook sh said no (exit 3)'],
  ['echo; echo why; echo more; echo err >&2; exit 1', 'the hook sh said no (exit 1): why'],
  ['echo err >&2; echo more >&2; exit 1', 'the hook sh said no (exit 1): err'],
  [`printf '%0400d' 0; exit 1`, `the hook sh said no (exit 1): ${'0'.repeat(300)}`],
])('the hook %j refuses with the first line of its output', async (script, message) => {
  expect(await failuresOf(script)).toEqual([['ZCL_E_EXPECT_SEMANTIC_HOOK', message]])
})

it('a hook that does not end in time, is killed or does not exist has failed itself', async () => {
  expect(await failuresOf('exec sleep 60', 100)).toEqual([
    ['ZCL_E_SEMANTIC_HOOK', 'the hook sh failed: it did not end in time'],
  ])
  expect(await failuresOf('kill -9 $$')).toEqual([
    ['ZCL_E_SEMANTIC_HOOK', 'the hook sh failed: ended by SIGKILL'],
  ])
  const subject = { folder: attempt.folder, report: {} as ReportFile, env: {} }
  const [gone] = await hookFailures({ hookCommand: ['/no/such/hook'] } as never, subject)
  expect(gone?.code).toBe('ZCL_E_SEMANTIC_HOOK')
  expect(gone?.message).toMatch(/^the hook \/no\/such\/hook failed: ./)
})
