import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writePieces, writeWhole } from './whole-file.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'zcl-whole-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* pieces(count: number, end?: Error): AsyncGenerator<string> {
  for (let piece = 0; piece < count; piece++) yield `${piece}\n`.padStart(10_000)
  if (end !== undefined) throw end
}

const write = (name: string, count: number, end?: Error) =>
  writeWhole(path.join(folder, name), (temp) => writePieces(temp, pieces(count, end)))

test('the file has everything, keeps its mode and its place behind a link', async () => {
  await write('plain', 300)
  expect(statSync(path.join(folder, 'plain')).size).toBe(3_000_000)
  writeFileSync(path.join(folder, 'old'), 'x')
  chmodSync(path.join(folder, 'old'), 0o640)
  symlinkSync('old', path.join(folder, 'link'))
  await write('link', 1)
  expect(readFileSync(path.join(folder, 'old'), 'utf8').trim()).toBe('0')
  expect(statSync(path.join(folder, 'old')).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).sort()).toEqual(['link', 'old', 'plain'])
})

test('what could not be finished leaves the old file and nothing beside it', async () => {
  writeFileSync(path.join(folder, 'old'), 'x')
  await expect(write('old', 50, new Error('no more'))).rejects.toThrow('no more')
  await expect(write('nowhere/x', 1)).rejects.toThrow(/^cannot write .*nowhere\/x: no such/)
  expect(readFileSync(path.join(folder, 'old'), 'utf8')).toBe('x')
  expect(readdirSync(folder)).toEqual(['old'])
})
