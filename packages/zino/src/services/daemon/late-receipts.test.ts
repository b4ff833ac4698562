import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { answerOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { receiptsFile } from '../../receipts/receipts.ts'
import { recordedTurns, turnsFolder } from '../../turns/turns.ts'
import { startDaemon } from './daemon.ts'

async function startIn(folder: string) {
  const context = contextIn(folder)
  const { config } = context
  const running = await serveHere(await startDaemon(context), config.daemon.socket)
  const ask = (turn: string) => answerOf(config.daemon.socket, { message: 'hi', turn })
  return { ask, running, turns: () => recordedTurns(turnsFolder(config)) }
}

async function startAgent(folder: string): Promise<void> {
  const { config } = contextIn(folder)
  await standIn({ run: () => ({ type: 'result', content: 'answer' }) }, config.agr.socket)
}

/** A folder in the place of the file: no receipt can be written. */
function blockReceipts(folder: string): string {
  const file = receiptsFile(contextIn(folder).config)
  mkdirSync(file, { recursive: true })
  return file
}

function receiptedTurns(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { turn: string }).turn)
}

it('a receipt that could not be written follows with the next one', async () => {
  const folder = tempFolder()
  const file = blockReceipts(folder)
  await startAgent(folder)
  const { ask, turns } = await startIn(folder)
  for (const turn of ['turn-1', 'turn-2']) {
    expect((await ask(turn)).at(-1)).toMatchObject({ type: 'response', content: 'answer' })
  }
  expect(turns()).toEqual(['turn-1', 'turn-2'])
  rmdirSync(file)
  await ask('turn-3')
  await until(() => turns().length === 0)
  expect(receiptedTurns(file).sort()).toEqual(['turn-1', 'turn-2', 'turn-3'])
})

it('a receipt that could not be written follows after a restart', async () => {
  const folder = tempFolder()
  const file = blockReceipts(folder)
  await startAgent(folder)
  const { ask, running } = await startIn(folder)
  await ask('turn-1')
  await running.stop()
  rmdirSync(file)
  const again = await startIn(folder)
  await until(() => again.turns().length === 0)
  expect(receiptedTurns(file)).toEqual(['turn-1'])
})
