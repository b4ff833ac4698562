import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { summarizeSession } from './summary.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-summary-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const meta = '{"type":"meta","schema_version":1,"root":"/r"}\n'
const prompt = (text: string) => `${JSON.stringify({ type: 'message', role: 'user', text })}\n`
const receipt = (model: string, rest: object = {}) =>
  `${JSON.stringify({ type: 'receipt', provider: 'p', model, ...rest })}\n`
const usage = { usage: { input_tokens: 3, output_tokens: 4 } }
/** A line of `length` bytes that says nothing. */
const filler = (length: number) => `{"a":"${'x'.repeat(length - 9)}"}\n`

function summaryOf(text: string) {
  const bytes = Buffer.byteLength(text)
  writeFileSync(path.join(folder, 'a.jsonl'), text)
  return summarizeSession(folder, { id: 'a', modifiedMs: 0, bytes })
}

describe('the summary of a short session', () => {
  it('has root, first prompt, and the latest model with its tokens', () => {
    const text = meta + prompt('one') + receipt('m', usage) + prompt('two') + receipt('n', usage)
    const expected = { title: 'one', root: '/r', provider: 'p', model: 'n', tokens: 7 }
    expect(summaryOf(text)).toEqual(expected)
    expect(summaryOf(meta + prompt('one') + receipt('m'))).toEqual({
      title: 'one',
      root: '/r',
      provider: 'p',
      model: 'm',
    })
    expect(summaryOf('')).toEqual({ title: undefined, root: undefined })
  })

  it.each([
    ['say "hi"\n\\ ü', 'say "hi"\n\\ ü'],
    ['', ''],
  ])('reads the prompt %j', (text, title) => {
    expect(summaryOf(meta + prompt(text)).title).toBe(title)
  })

  it.each([
    ['{"role":"user","text":"cut \\', 'cut '],
    ['{"role":"user","text":"cut \\u00', 'cut '],
    ['{"role":"user","text":"not \\x"}', undefined],
    ['{"role":"assistant","text":"no"}', undefined],
  ])('reads the record %j', (record, title) => {
    expect(summaryOf(meta + record).title).toBe(title)
  })

  it('drops a cut character at the end of a prompt', () => {
    const start = Buffer.from('{"role":"user","text":"cut ü')
    writeFileSync(path.join(folder, 'a.jsonl'), start.subarray(0, -1))
    const entry = { id: 'a', modifiedMs: 0, bytes: start.length - 1 }
    expect(summarizeSession(folder, entry).title).toBe('cut ')
  })

  it('reads no receipt from a prompt that quotes one', () => {
    expect(summaryOf(meta + prompt(receipt('m'))).model).toBeUndefined()
  })
})

describe('the summary of a long session', () => {
  const long = filler(200_000)

  it.each([2048, 2049, 16 * 1024])('finds a prompt that ends at byte %i', (end) => {
    const rest = end - meta.length - prompt('one').length
    expect(summaryOf(meta + filler(rest) + prompt('one') + long)).toEqual({
      title: 'one',
      root: '/r',
    })
  })

  it('cuts a prompt at 16 KiB', () => {
    const start = meta + filler(10_000)
    const text = start + prompt('y'.repeat(20_000)) + long
    const title = 'y'.repeat(16 * 1024 - start.length - prompt('').indexOf('""') - 1)
    expect(summaryOf(text)).toEqual({ title, root: '/r' })
  })

  it('has no prompt that starts beyond 16 KiB', () => {
    expect(summaryOf(meta + filler(16 * 1024) + prompt('one') + long)).toEqual({
      title: undefined,
      root: '/r',
    })
  })

  it('reads a root longer than 2 KiB', () => {
    const root = `/${'r'.repeat(3000)}`
    const text = `${JSON.stringify({ type: 'meta', root })}\n${prompt('one')}${long}`
    expect(summaryOf(text)).toEqual({ title: 'one', root })
  })

  it.each([
    [4096, 'm'],
    [4097, 'm'],
    [64 * 1024, 'm'],
    [64 * 1024 + 20, undefined],
  ])('with a receipt that starts %i bytes before the end', (before, model) => {
    const text = receipt('m', usage)
    const found = summaryOf(meta + prompt('one') + long + text + filler(before - text.length))
    const rest = model === undefined ? {} : { provider: 'p', model, tokens: 7 }
    expect(found).toEqual({ title: 'one', root: '/r', ...rest })
  })

  it('takes the latest receipt', () => {
    const text = meta + prompt('one') + long + receipt('m') + filler(5000) + receipt('n', usage)
    expect(summaryOf(text)).toMatchObject({ model: 'n', tokens: 7 })
  })

  it('reads all of a session of 6 KiB at once', () => {
    const size = 2048 + 4096
    for (const length of [size - 1, size, size + 1]) {
      const rest = length - meta.length - prompt('one').length - receipt('m').length
      const text = meta + filler(rest) + receipt('m') + prompt('one')
      expect(summaryOf(text)).toEqual({ title: 'one', root: '/r', provider: 'p', model: 'm' })
    }
  })
})
