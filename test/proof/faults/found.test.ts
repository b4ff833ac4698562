// Faults that the sweep found a wrong answer for, once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault, Operation } from '../files/operations.ts'
import type { Outcome } from './scene.ts'
import { Scene } from './scene.ts'
import { planRuns, runWith, type SweptCommand } from './sweep.ts'
import { zclCommands } from './zcl-commands.ts'
import { zdxCommands } from './zdx-commands.ts'
import { zenoCommands } from './zeno-commands.ts'

let scene: Scene
beforeEach(() => void (scene = new Scene()))
afterEach(() => scene.remove())

/** Runs the command with an I/O error at the last operation that matches, or from there on. */
async function failAt(
  command: SweptCommand | undefined,
  isHit: (operation: Operation) => boolean,
  failing: 'error' | 'from-here' = 'error',
): Promise<Outcome> {
  if (command === undefined) throw new Error('the command is not in the sweep')
  const runs = await planRuns(scene, command)
  const isWanted = ({ how, errno }: Fault) => how === failing && errno === 'EIO'
  const run = runs.findLast(({ operation, fault }) => isHit(operation) && isWanted(fault))
  if (run === undefined) throw new Error('the command has no such operation')
  scene.restore()
  return runWith(scene, command, run.fault)
}

test('zdx says that a record may be missing when only the check of the written line fails', async () => {
  const command = zdxCommands.find(({ name }) => name === 'exec')
  const { code, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'read' && path.endsWith('sessions/base.jsonl'),
  )
  expect(code).toBe(1)
  expect(stderr).toContain('the session may not be recorded')
})

test('zcl attempt start fails when the entry of the attempt cannot be flushed', async () => {
  const command = zclCommands.find(({ name }) => name === 'attempt start')
  const { code, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'sync' && path.endsWith('/attempts'),
  )
  expect(code).toBe(1)
  expect(stderr).toContain('may have been made')
})

test('zcl import says that a part of the run may be left when it can neither go on nor remove it', async () => {
  const command = zclCommands.find(({ name }) => name === 'import claude')
  const { code, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'sync' && path.includes('.importing'),
    'from-here',
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/^ZCL_E_IO: [^\n]*; a part of the run may be left in [^\n]*\n$/)
})

test('zcl init says what it has written when the entry of a new folder cannot be flushed', async () => {
  const command = zclCommands.find(({ name }) => name === 'init')
  const { code, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'fsync' && path.endsWith('/.zcl'),
  )
  expect(code).toBe(1)
  expect(stderr).toBe(
    'ZCL_E_IO: cannot create .zcl/runs: the disk reported an error; ' +
      'zcl.config.json was written, and the folder may exist\n',
  )
})

test('zcl attempt list fails when it cannot read an attempt, instead of leaving it out', async () => {
  const command = zclCommands.find(({ name }) => name === 'attempt list')
  const { code, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'read' && path.endsWith('attempt.json'),
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/^ZCL_E_IO: cannot read .*attempt\.json: the disk reported an error\n$/)
})

test('zeno grep says that it could not read a file, and prints the hits of the others', async () => {
  const command = zenoCommands.find(({ name }) => name === 'grep')
  const { code, stdout, stderr } = await failAt(
    command,
    ({ name, path }) => name === 'read' && path.endsWith('b.ts'),
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/^a\.ts:2:.*\nc\.ts:2:.*\n$/)
  expect(stderr).toBe('zeno: 1 file could not be read\n')
})
