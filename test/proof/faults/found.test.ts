// Faults that the sweep found a wrong answer for, once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault, Operation } from '../files/operations.ts'
import type { Outcome } from './scene.ts'
import { Scene } from './scene.ts'
import { planRuns, type SweptCommand } from './sweep.ts'
import { zclCommands } from './zcl-commands.ts'
import { zdxCommands } from './zdx-commands.ts'

let scene: Scene
beforeEach(() => void (scene = new Scene()))
afterEach(() => scene.remove())

/** Runs the command with an I/O error at the last operation that matches. */
async function failAt(
  command: SweptCommand | undefined,
  isHit: (operation: Operation) => boolean,
): Promise<Outcome> {
  if (command === undefined) throw new Error('the command is not in the sweep')
  const runs = await planRuns(scene, command)
  const isWanted = ({ how, errno }: Fault) => how === 'error' && errno === 'EIO'
  const run = runs.findLast(({ operation, fault }) => isHit(operation) && isWanted(fault))
  if (run === undefined) throw new Error('the command has no such operation')
  scene.restore()
  const program = command.program as 'zcl' | 'zdx'
  return scene.hookedHere(program, command.args, { fault: run.fault })
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
