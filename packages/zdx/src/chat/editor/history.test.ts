import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxHistoryLines, loadHistory, appendHistory } from './history.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the history of a chat', () => {
  it('is stored across runs, newest first, in a file of mode 0600', () => {
    const file = path.join(folder, 'deep/history')
    appendHistory(file, 'one')
    appendHistory(file, 'two')
    expect(loadHistory(file)).toEqual(['two', 'one'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is truncated to its limit', () => {
    const file = path.join(folder, 'history')
    writeFileSync(file, 'x\n'.repeat(5 * maxHistoryLines))
    expect(loadHistory(file)).toHaveLength(maxHistoryLines)
    expect(readFileSync(file, 'utf8')).toBe('x\n'.repeat(maxHistoryLines))
  })

  it('is optional: an unwritable file is ignored', () => {
    appendHistory('/dev/null/history', 'one')
    expect(loadHistory('/dev/null/history')).toEqual([])
  })
})
