import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextIn } from '../../../test/config.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { runFileOf, turnFileOf, turnsFolder } from '../../turns/turns.ts'
import { TurnBook } from './turn-book.ts'
import { readTurnFile } from './turn-record.ts'
import { Turn } from './turn.ts'

const ts = '2026-03-01T10:00:00.000Z'
const turnOf = (id: string) => new Turn({ turn: id, channel: 'ops', message: id, ts })
const answer = { text: 'pomegranate', transcript: 'pomegranate', ts }

function setUp() {
  const context = contextIn(tempFolder())
  const folder = turnsFolder(context.config)
  const names = () => readdirSync(folder).toSorted()
  const spares = () => names().filter((name) => name.startsWith('.spare'))
  return { context, folder, names, spares }
}

/** Records the answer of a turn and forgets the turn, as after its delivery. */
function finish(book: TurnBook, turn: Turn): void {
  turn.record?.add({ kind: 'answer', ...answer })
  Object.assign(turn, { answer, state: 'answered' })
  Object.assign(turn, { isStored: true, isDelivered: true, isReceipted: true })
  book.settle(turn)
}

it('a turn begins in the spare file, and the next turn gets a new one', async () => {
  const { context, folder, names, spares } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  expect(spares()).toHaveLength(1)
  book.record(turnOf('one'))
  expect(spares()).toEqual([])
  expect(readFileSync(turnFileOf(folder, 'one'), 'utf8')).toMatch(/^\{"kind":"begin".*\n +\n$/)
  await book.prepare()
  book.record(turnOf('two'))
  expect(names()).toEqual(['one.jsonl', 'two.jsonl'])
  await book.close()
})

it('the file of a finished turn becomes the file of a later turn and holds nothing of the first', async () => {
  const { context, folder, spares } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  const one = turnOf('one')
  book.record(one)
  writeFileSync(runFileOf(folder, 'one'), '{}\n')
  finish(book, one)
  expect(existsSync(turnFileOf(folder, 'one'))).toBe(false)
  expect(existsSync(runFileOf(folder, 'one'))).toBe(false)
  const [spare = ''] = spares()
  expect(readFileSync(path.join(folder, spare), 'utf8').trim()).toBe('')
  // It is used again when the disk no longer holds the first turn.
  const later: Turn[] = []
  await until(() => {
    later.push(turnOf(`later-${later.length}`))
    book.record(later.at(-1) as Turn)
    return spares().length === 0
  })
  book.settle(one)
  const last = later.at(-1) as Turn
  last.record?.add({ kind: 'answer', ...answer })
  expect(readTurnFile(turnFileOf(folder, last.id))).toMatchObject({
    begin: { message: last.id },
    answer,
  })
  await book.close()
})

it('a record that outgrows the spare file is appended to it, in order, and removed with its turn', async () => {
  const { context, folder, names } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  const long = 'long '.repeat(5000)
  const turn = turnOf('one')
  book.record(turn)
  turn.record?.add({ kind: 'failed', reason: long })
  turn.record?.add({ kind: 'left' })
  turn.record?.add({ kind: 'resumed' })
  expect(readTurnFile(turnFileOf(folder, 'one'))).toMatchObject({
    begin: { message: 'one' },
    failure: long,
    isLeft: false,
  })
  finish(book, turn)
  expect(names()).toEqual([])
  await book.close()
})

it('a message longer than the spare file is recorded whole', async () => {
  const { context, folder } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  const message = 'long '.repeat(10_000)
  book.record(new Turn({ turn: 'one', channel: '', message, ts }))
  expect(readTurnFile(turnFileOf(folder, 'one'))?.begin.message).toBe(message)
  await book.close()
})

it('a turn without a spare file creates its own', async () => {
  const { context, folder } = setUp()
  const book = new TurnBook(context)
  book.record(turnOf('one'))
  expect(readFileSync(turnFileOf(folder, 'one'), 'utf8')).toMatch(/^\{"kind":"begin"/)
  await book.close()
})

it.each(['.spare.jsonl', '.spare-0123456789ab.jsonl', 'earlier.jsonl'])(
  'a turn whose renames a power loss undid (%s) is recovered under its own name',
  async (name) => {
    const { context, folder, names } = setUp()
    const book = new TurnBook(context)
    await book.prepare()
    book.record(turnOf('one'))
    await book.close()
    renameSync(turnFileOf(folder, 'one'), path.join(folder, name))
    writeFileSync(runFileOf(folder, 'earlier'), '{}\n')
    const next = new TurnBook(context)
    expect(next.recover().map(({ id, begin }) => [id, begin.message])).toEqual([['one', 'one']])
    expect(names()).toEqual(
      name === 'earlier.jsonl' ? ['one.jsonl'] : ['earlier.run.jsonl', 'one.jsonl'],
    )
    await next.close()
  },
)

it('a spare file without a turn is no turn, and a finished turn that was blanked is none either', async () => {
  const { context, folder, names } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  await book.close()
  writeFileSync(turnFileOf(folder, 'blanked'), `${' '.repeat(100)}\n`)
  const next = new TurnBook(context)
  expect(next.recover()).toEqual([])
  expect(names()).toEqual([])
  await next.close()
})

it('a record that another process has removed does not come back as a spare file', async () => {
  const { context, folder, names } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  const turn = turnOf('one')
  book.record(turn)
  rmSync(turnFileOf(folder, 'one'))
  finish(book, turn)
  expect(names()).toEqual([])
  await book.prepare()
  expect(names()).toHaveLength(1)
  await book.close()
})

it('a turn is recorded although another program has removed the folder with the spare file', async () => {
  const { context, folder } = setUp()
  const book = new TurnBook(context)
  await book.prepare()
  rmSync(folder, { recursive: true })
  const turn = turnOf('one')
  book.record(turn)
  expect(turn.record).toBeDefined()
  expect(readTurnFile(turnFileOf(folder, 'one'))?.begin.message).toBe('one')
  await book.close()
})
