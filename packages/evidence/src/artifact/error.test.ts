import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { readJsonArtifact, readPrompt } from './artifact.ts'
import { pinRun } from '../retention/pin.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt()
})
afterEach(() => lab.remove())

test.each<[string, number, (file: string) => void]>([
  ['ZCL_E_MISSING_ARTIFACT', 2, (file) => rmSync(file)],
  ['ZCL_E_INVALID_JSON', 2, (file) => writeFileSync(file, '[]')],
  [
    'ZCL_E_CONTRACT',
    2,
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
  ],
])('pinRun reports an unreadable run.json as %s', async (code, exitCode, damage) => {
  damage(path.join(attempt.runFolder, 'run.json'))
  await expect(pinRun(attempt.runFolder, true)).rejects.toMatchObject({ code, exitCode })
})

test('readJsonArtifact reports missing for a folder that does not exist', () => {
  const nowhere = path.join(lab.root, 'nowhere')
  const read = readJsonArtifact({ path: nowhere, within: nowhere }, 'run.json')
  expect(read).toEqual({ failure: 'missing' })
})

test('readPrompt does not follow a symlink out of the run', () => {
  const from = { path: attempt.folder, within: attempt.runFolder }
  expect(readPrompt(from)).toBeUndefined()
  attempt.write('prompt.txt', 'say hello')
  expect(readPrompt(from)).toBe('say hello')
  rmSync(attempt.file('prompt.txt'))
  symlinkSync('/etc/passwd', attempt.file('prompt.txt'))
  expect(readPrompt(from)).toBeUndefined()
})
