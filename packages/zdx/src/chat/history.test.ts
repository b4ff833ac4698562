import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyLines, recall, remember } from './history.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the history of a chat', () => {
  it('is kept across runs, newest first, in a file of mode 0600', () => {
    const file = path.join(folder, 'deep/history')
    remember(file, 'one')
    remember(file, 'two')
    expect(recall(file)).toEqual(['two', 'one'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('stays bounded', () => {
    const file = path.join(folder, 'history')
    writeFileSync(file, 'x\n'.repeat(5 * historyLines))
    expect(recall(file)).toHaveLength(historyLines)
    expect(readFileSync(file, 'utf8')).toBe('x\n'.repeat(historyLines))
  })

  it('is no reason to fail', () => {
    remember('/dev/null/history', 'one')
    expect(recall('/dev/null/history')).toEqual([])
  })
})
