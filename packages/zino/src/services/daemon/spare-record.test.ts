import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextIn } from '../../../test/config.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { turnFileOf, turnsFolder } from '../../turns/turns.ts'
import { TurnBook } from './turn-book.ts'
import { Turn } from './turn.ts'

const turnOf = (id: string) =>
  new Turn({ turn: id, channel: 'ops', message: id, ts: '2026-03-01T10:00:00.000Z' })

function setUp() {
  const context = contextIn(tempFolder())
  const folder = turnsFolder(context.config)
  const spare = path.join(folder, '.spare.jsonl')
  return { context, folder, spare }
}

it('a turn begins in the spare file, and the next turn gets a new one', async () => {
  const { context, folder, spare } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  book.record(turnOf('one'))
  expect(existsSync(spare)).toBe(false)
  expect(readFileSync(turnFileOf(folder, 'one'), 'utf8')).toMatch(
    /^\{"kind":"spare"\}\n\{"kind":"begin"/,
  )
  await book.prepare()
  book.record(turnOf('two'))
  expect(readdirSync(folder).toSorted()).toEqual(['one.jsonl', 'two.jsonl'])
  book.close()
})

it('a turn without a spare file creates its own', () => {
  const { context, folder } = setUp()
  const book = new TurnBook(context)
  book.record(turnOf('one'))
  expect(readFileSync(turnFileOf(folder, 'one'), 'utf8')).toMatch(/^\{"kind":"begin"/)
  book.close()
})

it('a turn whose rename a power loss undid is recovered under its own name', async () => {
  const { context, folder, spare } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  book.record(turnOf('one'))
  book.close()
  renameSync(turnFileOf(folder, 'one'), spare)
  const next = new TurnBook(context)
  expect(next.recover().map(({ id, begin }) => [id, begin.message])).toEqual([['one', 'one']])
  expect(readdirSync(folder)).toEqual(['one.jsonl'])
  next.close()
})

it('a spare file without a turn is no turn', async () => {
  const { context } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  book.close()
  const next = new TurnBook(context)
  expect(next.recover()).toEqual([])
  next.close()
})
