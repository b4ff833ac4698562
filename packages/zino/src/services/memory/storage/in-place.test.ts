import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { UncertainError } from '@zee/core/errors'
import type { WriteAheadLog } from '@zee/core/wal'
import { writeInPlace } from './in-place.ts'

it('a write whose file cannot be checked afterwards is uncertain and releases its journal record', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-in-place-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'c.json')
  writeFileSync(file, '[\n')
  const descriptor = openSync(file, 'r+')
  onTestFinished(() => closeSync(descriptor))
  const release = vi.fn()
  const journal = { commit: async () => ({ release }) } as unknown as WriteAheadLog
  const write = { kind: 'append', offset: 2, bytes: Buffer.from('{}\n]\n') } as const
  const failure = await writeInPlace(
    { file, descriptor, stats: fstatSync(descriptor) },
    write,
    journal,
    () => {
      throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    },
  )
  expect(failure?.error).toBeInstanceOf(UncertainError)
  expect(failure?.error.message).toBe(
    `cannot write ${file}: the disk reported an error; the change may have been made`,
  )
  expect(release).toHaveBeenCalledOnce()
})
