// `zeno tail`: the last lines of a trace, and --follow.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { Client, createSandbox } from './sandbox.ts'

let box: Sandbox
let log: string
beforeEach(() => {
  box = createSandbox()
  log = path.join(box.base, 'trace.jsonl')
})
afterEach(() => box.remove())

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `{"n":${from + index}}`)
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

describe('zeno tail', () => {
  it('prints the last 20 lines by default and all lines with --lines 0', async () => {
    writeFileSync(log, text(numbers(1, 50)))
    const tail = async (...args: string[]) =>
      (await box.zeno(['tail', '--log', log, ...args])).stdout
    expect(await tail()).toBe(text(numbers(31, 50)))
    expect(await tail('--lines', '2')).toBe(text(numbers(49, 50)))
    expect(await tail('--lines', '0')).toBe(text(numbers(1, 50)))
    expect(await tail('--lines', '500')).toBe(text(numbers(1, 50)))
  })

  it('finds the last lines of a large file with lines of any length', async () => {
    const long = `{"x":"${'y'.repeat(200_000)}"}`
    writeFileSync(log, text([...numbers(1, 50_000), long, '{"last":1}']))
    const { stdout } = await box.zeno(['tail', '--log', log, '-n', '2'])
    expect(stdout).toBe(text([long, '{"last":1}']))
  })

  it('prints a torn last line', async () => {
    writeFileSync(log, '{"n":1}\n{"n":')
    expect((await box.zeno(['tail', '--log', log])).stdout).toBe('{"n":1}\n{"n":\n')
  })

  it('follows complete appended lines and a replaced file', async () => {
    writeFileSync(log, text(numbers(1, 3)))
    const client = new Client(['tail', '--log', log, '--lines', '1', '--follow'], box.base)
    expect(await client.nextLine()).toBe('{"n":3}')
    appendFileSync(log, '{"n":4}\n{"n":')
    expect(await client.nextLine()).toBe('{"n":4}')
    appendFileSync(log, '5}\n')
    expect(await client.nextLine()).toBe('{"n":5}')
    renameSync(log, `${log}.old`)
    writeFileSync(log, text(numbers(6, 6)))
    expect(await client.nextLine()).toBe('{"n":6}')
    await client.kill('SIGTERM')
    expect(client.child.signalCode).toBe('SIGTERM')
  })

  it('exits 1 if the file does not exist and 2 for an invalid number', async () => {
    expect(await box.zeno(['tail', '--log', '/nowhere'])).toMatchObject({ code: 1, stdout: '' })
    expect(await box.zeno(['tail', '--log', log, '--lines', 'x'])).toMatchObject({ code: 2 })
    expect(await box.zeno(['tail'])).toMatchObject({ code: 2 })
  })
})
