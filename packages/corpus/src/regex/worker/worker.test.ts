import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { childProgram } from '../../../../../test/support/paths.ts'
import { compileRegex } from '../regex.ts'
import { createRegexWorker } from './worker.ts'
import type { RegexWorker } from './worker.ts'
import type { SearchJob } from './jobs.ts'

const workerPath = childProgram('corpus', 'regex-worker')
const open: RegexWorker[] = []

function worker(path: string = workerPath): RegexWorker {
  const made = createRegexWorker(path)
  open.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function job(pattern: string, texts: string[], limit = 100): SearchJob {
  const parts = texts.map((text) => Buffer.from(text))
  const bytes = new SharedArrayBuffer(parts.reduce((sum, part) => sum + part.length, 0) || 1)
  const spans: number[] = []
  let offset = 0
  for (const part of parts) {
    part.copy(Buffer.from(bytes), offset)
    spans.push(offset, part.length)
    offset += part.length
  }
  const { program } = compileRegex(pattern, { lines: true })
  return { kind: 'search', program, bytes, spans, perFile: limit, limit }
}

const plenty = { ms: 30_000, allowedMs: 30_000 }

describe('the regex worker', () => {
  test('finds lines and columns per file, up to the limit over all files', async () => {
    const one = worker()
    const texts = ['x foo1\nno\nfoo2', '', 'foo3\nfoo4']
    expect((await one.run(job('foo\\d', texts), plenty)).found).toEqual([
      [1, 3, 3, 1],
      [],
      [1, 1, 2, 1],
    ])
    expect((await one.run(job('foo\\d', texts, 3), plenty)).found).toEqual([
      [1, 3, 3, 1],
      [],
      [1, 1],
    ])
  })

  test('stops a runaway pattern at its deadline and then runs the next job', async () => {
    const one = worker()
    const hopeless = job('(?=(a+)+$)a', [`${'a'.repeat(60)}b`])
    await expect(one.run(hopeless, { ms: 200, allowedMs: 200 })).rejects.toThrow(
      'regex timed out after 200 ms',
    )
    expect((await one.run(job('a', ['a']), plenty)).found).toEqual([[1, 1]])
  })

  test('runs concurrent jobs one after the other', async () => {
    const one = worker()
    const hopeless = one.run(job('(?=(a+)+$)a', [`${'a'.repeat(60)}b`]), {
      ms: 200,
      allowedMs: 200,
    })
    const others = ['a', 'b', 'c'].map((text) => one.run(job('.', [text, text]), plenty))
    await expect(hopeless).rejects.toThrow('regex timed out')
    for (const { found } of await Promise.all(others))
      expect(found).toEqual([
        [1, 1],
        [1, 1],
      ])
  })

  test('ends a queued request when its time expires or it is cancelled', async () => {
    const one = worker()
    const abort = new AbortController()
    const long = one.run(job('(?=(a+)+$)a', [`${'a'.repeat(60)}b`]), {
      ...plenty,
      signal: abort.signal,
    })
    const text = job('a', ['a'])
    const late = one.run(text, { ms: 50, allowedMs: 50, countsQueueTime: true })
    await expect(late).rejects.toThrow('regex timed out after 50 ms')
    const leaving = new AbortController()
    const left = one.run(text, { ...plenty, signal: leaving.signal })
    leaving.abort()
    await expect(left).rejects.toThrow('the request was cancelled')
    const patient = one.run(text, { ms: 30_000, allowedMs: 30_000, countsQueueTime: true })
    abort.abort()
    await expect(long).rejects.toThrow('the request was cancelled')
    expect((await patient).found).toEqual([[1, 1]])
  })

  test('stops a run when its request is cancelled', async () => {
    const one = worker()
    const abort = new AbortController()
    const running = one.run(job('(a|a)*$', [`${'a'.repeat(60)}b`]), {
      ...plenty,
      signal: abort.signal,
    })
    abort.abort()
    await expect(running).rejects.toThrow('the request was cancelled')
  })

  test('reports a pattern too large for the engine as one sentence and then runs the next job', async () => {
    const one = worker()
    const large = job('(?:x|y)'.repeat(100_000), ['xy'])
    await expect(one.run(large, { ms: 20_000, allowedMs: 20_000 })).rejects.toThrow(/^regex /)
    expect((await one.run(job('a', ['a']), plenty)).found).toEqual([[1, 1]])
  })

  test('tests texts one by one', async () => {
    const { program } = compileRegex('^a.*c$', { lines: false })
    const texts = ['abc', 'ab', 'a\nc', 'a\udcffc']
    expect((await worker().run({ kind: 'test', program, texts }, plenty)).found).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('rejects requests when its worker file does not exist', async () => {
    const none = createRegexWorker('/missing/regex-worker.cjs')
    await expect(none.run(job('a', ['a']), plenty)).rejects.toThrow('needs the regex worker')
  })

  test('says why its worker file cannot start, on every request', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-regex-worker-'))
    const file = path.join(folder, 'regex-worker.cjs')
    writeFileSync(file, "throw new Error('no such kernel')")
    const broken = worker(file)
    for (let request = 0; request < 2; request++) {
      await expect(broken.run(job('a', ['a']), plenty)).rejects.toThrow(
        /^the regex worker failed: no such kernel$/,
      )
    }
    rmSync(folder, { recursive: true })
  })

  test('says that its thread has ended without an error', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-regex-worker-'))
    const file = path.join(folder, 'regex-worker.cjs')
    const exit = "require('node:worker_threads').parentPort.once('message', () => process.exit())"
    writeFileSync(file, exit)
    await expect(worker(file).run(job('a', ['a']), plenty)).rejects.toThrow(
      /^the regex worker ended early$/,
    )
    rmSync(folder, { recursive: true })
  })
})
