// Records of turns quote what a prompt contained, so a forgotten text is removed from them too.
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { append, start, store, user } from '../../../test/mem.ts'
import { recordedTurns, turnFileOf, turnsFolder } from '../../turns/turns.ts'

async function startWithTurns(records: Readonly<Record<string, string>>) {
  const { ask, context } = await start()
  const folder = turnsFolder(context.config)
  mkdirSync(folder, { recursive: true })
  for (const [turn, text] of Object.entries(records)) {
    writeFileSync(turnFileOf(folder, turn), `${JSON.stringify({ kind: 'answer', text })}\n`)
  }
  return { ask, left: () => recordedTurns(folder) }
}

describe('the records of turns', () => {
  it('are removed with a cleared channel: its own turns, and those that quote it', async () => {
    const records = { own1: 'x', own2: 'y', quoting: 'it was: one plain', other: 'z' }
    const { ask, left } = await startWithTurns(records)
    await ask({ ...append('c', 'first'), turn: 'own1' })
    await ask({ ...append('c', 'second'), turn: 'own2' })
    await ask(append('c', 'one plain', 'last'))
    await ask({ type: 'clear_history', channel_id: 'c' })
    expect(left()).toEqual(['other'])
  })

  it('are removed with a forgotten message', async () => {
    const records = { own: 'x', quoting: 'it was: the secret place', other: 'z' }
    const { ask, left } = await startWithTurns(records)
    await ask({ ...append('c', 'the secret place', 'answer'), turn: 'own' })
    await ask({ ...append('c', 'later'), turn: 'other' })
    await ask({ type: 'forget', id: 'c:0' })
    expect(left()).toEqual(['other'])
  })

  it('are removed with every version of a forgotten hard memory', async () => {
    const records = { old: 'it was: the old harbour', new: 'it is: the new harbour', other: 'z' }
    const { ask, left } = await startWithTurns(records)
    await ask({ ...store('the old harbour'), messages: [user('the old harbour'), user('two')] })
    await ask({ type: 'edit_memory', id: 0, content: 'the new harbour' })
    await ask({ type: 'forget', id: 1 })
    expect(left()).toEqual(['other'])
  })
})
