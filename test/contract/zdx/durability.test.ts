// What survives a power cut or a damaged disk: the order of flushes, failed flushes, bad undo copies.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const preload = fileURLToPath(new URL('fixtures/file-calls.cjs', import.meta.url))

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
  box.put('a.txt', 'one\n')
  box.put(
    'play.jsonl',
    '{"tool":"write","input":{"path":"a.txt","content":"two\\n"}}\n{"text":"done"}\n',
  )
})
afterEach(() => box.remove())

const text = (name: string) => readFileSync(path.join(box.root, name), 'utf8')

const exec = (env: Record<string, string> = {}) =>
  box.zdx(['exec', '-p', 'x', '--session', 's', '--provider', 'script', '--model', 'play.jsonl'], {
    env: { NODE_OPTIONS: `--require ${preload}`, ...env },
  })

it('`zdx exec` flushes the session and the undo copies before it changes a file', async () => {
  const log = path.join(box.base, 'calls')
  expect(await exec({ ZEE_FILE_CALLS: log })).toMatchObject({ code: 0 })
  const calls = readFileSync(log, 'utf8').trimEnd().split('\n')
  const changed = calls.indexOf(`rename ${path.join(box.root, 'a.txt')}`)
  const before = calls.slice(0, changed)
  const undo = path.join(box.zdxHome, 'undo/s')
  expect(before).toEqual(
    expect.arrayContaining([
      `flush ${path.join(box.zdxHome, 'sessions/s.jsonl')}`,
      `flush ${path.join(box.zdxHome, 'sessions')}`,
      `flush ${path.join(undo, 'changes.jsonl')}`,
      `flush ${undo}`,
      `flush ${path.dirname(undo)}`,
      `flush ${box.zdxHome}`,
    ]),
  )
  const copies = readdirSync(undo).filter((name) => name !== 'changes.jsonl')
  expect(copies).toHaveLength(2)
  for (const copy of copies) {
    const stored = before.indexOf(`rename ${path.join(undo, copy)}`)
    expect(before[stored - 1]).toContain(`flush ${path.join(undo, `.${copy}.`)}`)
  }
})

it('`zdx sessions undo` changes nothing if a kept copy is empty', async () => {
  await exec()
  const undo = path.join(box.zdxHome, 'undo/s')
  for (const name of readdirSync(undo)) {
    if (name !== 'changes.jsonl') writeFileSync(path.join(undo, name), '')
  }
  const ran = await box.zdx(['sessions', 'undo', 's'])
  const file = path.join(box.root, 'a.txt')
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain(`the kept copy of ${file} is damaged; nothing was changed\n`)
  expect(text('a.txt')).toBe('two\n')
})

it('`zdx exec` exits with 1 and says that the session may not be recorded if its flush fails', async () => {
  box.put('play.jsonl', '{"text":"done"}\n')
  const ran = await exec({ ZEE_FAIL_FLUSH: 's.jsonl' })
  expect(ran).toMatchObject({ code: 1, stdout: 'done\n' })
  const file = path.join(box.zdxHome, 'sessions/s.jsonl')
  expect(ran.stderr).toContain(
    `the session may not be recorded: cannot flush ${file}: the disk reported an error\n`,
  )
})

it('`zdx exec` changes no file if the flush of the session fails', async () => {
  const ran = await exec({ ZEE_FAIL_FLUSH: 's.jsonl' })
  expect(ran.code).toBe(1)
  expect(text('a.txt')).toBe('one\n')
})

it('`zdx sessions undo` says that it may not be recorded if the flush fails', async () => {
  await exec()
  const env = { NODE_OPTIONS: `--require ${preload}`, ZEE_FAIL_FLUSH: 'sessions/s.jsonl' }
  const ran = await box.zdx(['sessions', 'undo', 's'], { env })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('restored 1 file(s), but: the session may not be recorded: ')
  expect(text('a.txt')).toBe('one\n')
})
