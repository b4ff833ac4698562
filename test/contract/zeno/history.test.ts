// Revisions of a git repository: reading, citing and verifying them through the built program.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let first: string

function git(...args: string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: box.base,
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return execFileSync('git', ['-C', box.root, ...args], { env, encoding: 'utf8' })
}

beforeEach(() => {
  box = createSandbox({
    'a.txt': 'one\ntwo\nthree\n',
    'src/lock.ts': 'export function lock() {}\n',
  })
  git('init', '-q', '-b', 'main', '.')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  first = git('rev-parse', 'HEAD').trim()
  box.put({ 'a.txt': 'one\nTWO\nthree\n' })
  git('commit', '-qam', 'second')
})
afterEach(() => box.remove())

describe('a request with rev', () => {
  it('is answered without starting git', async () => {
    const calls = path.join(box.base, 'calls')
    const fake = path.join(box.base, 'git')
    writeFileSync(fake, `#!/bin/sh\necho "$@" >> ${calls}\n`)
    chmodSync(fake, 0o755)
    const env = { PATH: `${box.base}:${process.env.PATH ?? ''}` }
    const args = JSON.stringify({ pattern: 'two', rev: 'HEAD~1' })
    const sent = ['send', '--root', box.root, '--private', '--op', 'grep', '--args', args]
    const { stdout } = await box.zeno(sent, { env })
    expect(JSON.parse(stdout)).toMatchObject({
      result: { hits: [{ path: 'a.txt', line: 2, cite: `${first}:a.txt:2` }], rev: first },
    })
    expect(existsSync(calls)).toBe(false)
  })

  it('gives evidence that zeno verify checks against that revision', async () => {
    const client = box.server()
    const args = { path: 'a.txt', rev: 'HEAD~1', start_line: 2, end_line: 3, hash: true }
    const { sha256, cite } = await client.ok('read_file', args)
    expect(cite).toBe(`${first}:a.txt:2-3`)
    const row = { evidence_id: 'E1', kind: 'read', rev: first, path: 'a.txt', lines: [2, 3] }
    const hit = { evidence_id: 'E2', kind: 'grep', rev: first, pattern: 'two', hit: 'a.txt:L2' }
    const verify = async (...rows: Json[]) => {
      const file = path.join(box.base, 'evidence.jsonl')
      writeFileSync(file, rows.map((each) => `${JSON.stringify(each)}\n`).join(''))
      return box.zeno(['verify', '--root', box.root, '--evidence', file])
    }
    const { sha256: line } = await client.ok('read_file', { ...args, end_line: 2 })
    expect(await verify({ ...row, hash: sha256 }, { ...hit, hash: line })).toMatchObject({
      code: 0,
    })
    const wrong = await verify({ ...row, rev: 'HEAD', hash: sha256 })
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.stdout).toContain('changed E1 HEAD:a.txt:2-3 the text differs')
  })
})

describe('zeno locate', () => {
  it('prints paths with lines and the matching terms, best first', async () => {
    const { code, stdout } = await box.zeno(['locate', 'the lock is broken', '--root', box.root])
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(/^src\/lock\.ts:1-1 {2}lock, path:lock, symbol:lock/)
    expect(readFileSync(path.join(box.root, 'a.txt'), 'utf8')).toContain('TWO')
  })

  it('prints at most --max files', async () => {
    const locate = (max: string) => box.zeno(['locate', 'lock', '--root', box.root, '--max', max])
    box.put({ 'lock/one.txt': 'lock', 'lock/two.txt': 'lock' })
    expect((await locate('10')).stdout.trim().split('\n').length).toBeGreaterThan(2)
    expect((await locate('2')).stdout.trim().split('\n')).toHaveLength(2)
  })
})
