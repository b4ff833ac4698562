import {
  appendFileSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { chainStart, lineHash } from '@zee/core/chain'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { headFile } from './head.ts'
import type { Receipt } from './receipts.ts'
import { appendReceipt, hasReceipt, readReceipts, textFacts, verifyReceipts } from './receipts.ts'

interface Chained {
  line: number
  chain: string
  seal: string
}

function receiptOf(turn: string): Receipt {
  return {
    v: 1,
    turn,
    channel: 'c',
    started: '2026-03-01T10:00:00.000Z',
    ts: '2026-03-01T10:00:01.000Z',
    version: '0.1.0',
    request: textFacts(`question ${turn}`),
    context: null,
    permission: { allow: null, approve: null, decisions: [] },
    execution: [],
    answer: { state: 'answered', ...textFacts('answer') },
    iterations: 1,
    models: ['m'],
    tokens: { input: 1, output: 2 },
    cost: { usd: null },
    recording: null,
  }
}

async function fileWith(...turns: string[]): Promise<string> {
  const file = path.join(tempFolder(), 'data/receipts.jsonl')
  for (const turn of turns) await appendReceipt(file, receiptOf(turn))
  return file
}

describe('receipts', () => {
  it('are lines of a private file, chained to one another', async () => {
    const file = await fileWith('t1', 't2', 't3')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readReceipts(file).map(({ turn }) => turn)).toEqual(['t1', 't2', 't3'])
    expect(verifyReceipts(file)).toMatchObject({ receipts: 3, problems: [], torn: [] })
    expect(hasReceipt(file, 't2')).toBe(true)
    expect(hasReceipt(file, 't')).toBe(false)
  })

  it('of a turn is missing when its line is torn, and there when only the newline is missing', async () => {
    const file = await fileWith('t1', 't2')
    const { size } = statSync(file)
    truncateSync(file, size - 1)
    expect(hasReceipt(file, 't2')).toBe(true)
    truncateSync(file, size - 2)
    expect(hasReceipt(file, 't2')).toBe(false)
    expect(hasReceipt(file, 't1')).toBe(true)
  })

  it('show a change of any byte', async () => {
    const file = await fileWith('t1', 't2')
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      writeFileSync(file, changed)
      expect(verifyReceipts(file).problems, `byte ${at}`).not.toEqual([])
    }
  })

  it.each([
    ['a removed line', (lines: string[]) => lines.toSpliced(1, 1)],
    ['a removed first line', (lines: string[]) => lines.slice(1)],
    ['two exchanged lines', ([a, b, c]: string[]) => [a, c, b]],
    ['a repeated line', (lines: string[]) => [...lines, lines[2]]],
    ['a blank line', ([a, b, c]: string[]) => [a, '', b, c]],
  ] as [string, (lines: string[]) => (string | undefined)[]][])('show %s', async (_, change) => {
    const file = await fileWith('t1', 't2', 't3')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, `${change(lines).join('\n')}\n`)
    expect(verifyReceipts(file).problems).not.toEqual([])
  })

  it('go on after a line that a crash left incomplete', async () => {
    const file = await fileWith('t1')
    appendFileSync(file, '{"v":1,"turn":"t2","chan')
    expect(verifyReceipts(file).problems).toMatchObject([{ line: 2 }])
    await appendReceipt(file, receiptOf('t3'))
    expect(verifyReceipts(file)).toMatchObject({ receipts: 2, problems: [], torn: [2] })
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      writeFileSync(file, changed)
      expect(verifyReceipts(file).problems, `byte ${at}`).not.toEqual([])
    }
  })

  it('lose nothing when several processes append', async () => {
    const file = await fileWith()
    const turns = Array.from({ length: 20 }, (_, number) => `t${number}`)
    await Promise.all(turns.map((turn) => appendReceipt(file, receiptOf(turn))))
    expect(verifyReceipts(file)).toMatchObject({ receipts: 20, problems: [] })
  })

  it.each([0, 1, 2])('show that %i lines are left of three', async (count) => {
    const file = await fileWith('t1', 't2', 't3')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(
      file,
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(''),
    )
    expect(verifyReceipts(file).problems).toEqual([
      { line: count + 1, text: `is missing: ${3 - count} lines were cut from the end` },
    ])
  })

  it('show a log that was written anew, and a head record that was removed', async () => {
    const file = await fileWith('t1', 't2')
    const other = await fileWith('t1', 't3')
    writeFileSync(file, readFileSync(other))
    expect(verifyReceipts(file).problems).toEqual([
      { line: 2, text: 'differs from the head record' },
    ])
    rmSync(headFile(other))
    expect(verifyReceipts(other).problems).toMatchObject([{ line: 2 }])
    expect(verifyReceipts(other, true)).toMatchObject({ problems: [], is_end_known: false })
  })

  it('raise no alarm after a crash between a line and its head record', async () => {
    const file = await fileWith()
    await appendReceipt(file, receiptOf('t1'))
    const older = readFileSync(headFile(file))
    await appendReceipt(file, receiptOf('t2'))
    writeFileSync(headFile(file), older)
    expect(verifyReceipts(file)).toMatchObject({ receipts: 2, problems: [], is_end_known: true })
    // The first append of all: the head of an empty log is written before it.
    writeFileSync(headFile(file), JSON.stringify({ line: 0, sha256: '' }))
    expect(verifyReceipts(file)).toMatchObject({ receipts: 2, problems: [] })
  })

  it('of an older version, without numbers and head record, are continued', async () => {
    const file = await fileWith('t1', 't2')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    let chain = chainStart
    const old = lines.map((line) => {
      const { line: _, chain: __, seal: ___, ...receipt } = JSON.parse(line) as Receipt & Chained
      const chained = `${JSON.stringify(receipt).slice(0, -1)},"chain":"${chain}"`
      const text = `${chained},"seal":"${lineHash(Buffer.from(chained))}"}`
      chain = lineHash(Buffer.from(text))
      return `${text}\n`
    })
    writeFileSync(file, old.join(''))
    rmSync(headFile(file))
    expect(verifyReceipts(file)).toMatchObject({ receipts: 2, problems: [], is_end_known: false })
    await appendReceipt(file, receiptOf('t3'))
    expect(verifyReceipts(file)).toMatchObject({ receipts: 3, problems: [], is_end_known: true })
    expect(readReceipts(file).at(-1)).toMatchObject({ turn: 't3', line: 3 })
    writeFileSync(file, old.join(''))
    expect(verifyReceipts(file).problems).toMatchObject([{ line: 3 }])
  })

  it('of a missing file are none', () => {
    expect(verifyReceipts('/nonexistent/receipts.jsonl')).toMatchObject({
      receipts: 0,
      problems: [],
    })
  })
})
