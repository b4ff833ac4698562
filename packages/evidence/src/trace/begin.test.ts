import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { chainStart, lineHash } from '@zee/core/chain'
import { currentProcess, processStat } from '@zee/core/identity'
import { createRedactor } from '@zee/core/redact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { appendBegin, type BegunCall } from './begin.ts'
import { findParentId, recorderName } from './parent.ts'
import { prepareInput } from './trace.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt()
})
afterEach(() => lab.remove())

const name = 'tool.begins.jsonl'
const id = '0123456789abcdef'
const other = 'fedcba9876543210'

const begin = (more: Partial<BegunCall> = {}) =>
  appendBegin(attempt.folder, attempt.ids, {
    ...{ tool: 'cli', op: 'exec', startedAt: new Date('2026-02-15T18:00:01.000Z'), id },
    ...{ input: prepareInput({ argv: ['ls'] }, createRedactor()), ...more },
  })

const lines = (): string[] => attempt.read(name).trimEnd().split('\n')

describe('the begin line of a call', () => {
  it('names the attempt, the call and its recorder, and is chained to the line before it', async () => {
    await begin()
    await begin({ id: other, parentId: id, op: 'shell' })
    const [first = '', second = ''] = lines()
    expect(Object.entries(JSON.parse(first) as object)).toEqual([
      ['v', 1],
      ['ts', '2026-02-15T18:00:01.000Z'],
      ...Object.entries(attempt.ids),
      ['id', id],
      ['recorder', `${process.pid}-${currentProcess().started}`],
      ['tool', 'cli'],
      ['op', 'exec'],
      ['input', { argv: ['ls'] }],
      ['chain', chainStart],
    ])
    expect(JSON.parse(second)).toMatchObject({
      ...{ id: other, parentId: id, op: 'shell', chain: lineHash(Buffer.from(first)) },
    })
  })

  it('replaces the rest of a line of this run that a crash cut off', async () => {
    await begin()
    const [first = ''] = lines()
    appendFileSync(attempt.file(name), first.slice(0, 120))
    await begin({ id: other })
    expect(lines().map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([id, other])
    expect(JSON.parse(lines()[1] ?? '')).toMatchObject({ chain: lineHash(Buffer.from(first)) })
  })

  it('follows the rest of a line of another writer', async () => {
    await begin()
    const torn = lines()[0]?.replace(attempt.ids.runId, 'other').slice(0, 120) ?? ''
    appendFileSync(attempt.file(name), torn)
    await begin({ id: other })
    expect(lines()).toHaveLength(3)
    expect(lines()[1]).toBe(torn)
    expect(JSON.parse(lines()[2] ?? '')).toMatchObject({ chain: lineHash(Buffer.from(torn)) })
  })
})

describe('the parent of a call', () => {
  const recorded = (recorder: string, of = id): void =>
    appendFileSync(attempt.file(name), `{"v":1,"id":"${of}","recorder":"${recorder}","tool":"x"}\n`)
  const recorderOf = (pid: number): string => `${pid}-${processStat(pid)?.started}`
  const find = (env = {}) => findParentId(attempt.folder, env)

  it('is the newest call whose recorder is an ancestor of this process', () => {
    expect(find()).toBeUndefined()
    recorded('1-1')
    expect(find()).toBeUndefined()
    recorded(recorderOf(process.ppid))
    expect(find()).toBe(id)
    recorded(recorderOf(process.ppid), other)
    expect(find({ ZCL_PARENT_ID: id })).toBe(other)
  })

  it('may be recorded by an ancestor further up, but not by this process itself', () => {
    recorded(recorderName())
    expect(find()).toBeUndefined()
    const above = processStat(process.ppid)?.parent ?? 0
    recorded(recorderOf(above), other)
    expect(find()).toBe(above > 1 ? other : undefined)
  })

  it('is no process that has the same pid and another start', () => {
    recorded(`${process.ppid}-1`)
    expect(find()).toBeUndefined()
  })

  it('needs a complete id before the recorder', () => {
    const recorder = recorderOf(process.ppid)
    writeFileSync(attempt.file(name), `","recorder":"${recorder}"`)
    expect(find()).toBeUndefined()
    writeFileSync(attempt.file(name), `${id}","recorder":"${recorder}"`)
    expect(find()).toBe(id)
    recorded(recorder, `not-hexadecimal!`)
    expect(find()).toBeUndefined()
  })

  it('is found only in the last 256 KiB of the begin lines', () => {
    const line = `${id}","recorder":"${recorderOf(process.ppid)}"\n`
    const rest = 256 * 1024 - line.length
    writeFileSync(attempt.file(name), `x${line}${'y'.repeat(rest)}`)
    expect(find()).toBe(id)
    writeFileSync(attempt.file(name), `x${line}${'y'.repeat(rest + 1)}`)
    expect(find()).toBeUndefined()
  })

  it('in the environment is none whose recorder has ended', () => {
    const env = { ZCL_PARENT_ID: id }
    recorded('1073741824-1')
    expect(find(env)).toBeUndefined()
    recorded(recorderName())
    expect(find(env)).toBe(id)
    recorded('unnamed')
    expect(find(env)).toBeUndefined()
  })

  it.each([
    [id, id],
    [id.toUpperCase(), undefined],
    [`${id}0`, undefined],
    [id.slice(1), undefined],
    ['', undefined],
  ])('in the environment is %j: %j', (value, parent) => {
    expect(find({ ZCL_PARENT_ID: value })).toBe(parent)
    rmSync(attempt.folder, { recursive: true })
    expect(find({ ZCL_PARENT_ID: value })).toBe(parent)
  })
})
