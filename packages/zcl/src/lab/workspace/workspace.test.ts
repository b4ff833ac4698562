import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { workspaceChanges } from './changes.ts'
import { copyTree } from './tree-work.ts'
import { restoreFolder, startDiskGuard, sweepWorkspaces, Workspaces } from './workspace.ts'
import type { Workspace } from './workspace.ts'

let base: string
const at = (...parts: string[]) => path.join(base, ...parts)
const write = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true })
  fs.writeFileSync(at(name), text)
}

beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'zcl-workspace-'))
  write('src/a.txt', 'one\ntwo\n')
  write('src/deep/b.txt', 'b')
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

const runId = '20260101-000000Z-abcdef'
const open = (
  spec: Record<string, unknown>,
  hidden: string[] = [],
  attemptId = '001-m-r1',
): Promise<Workspace> => {
  fs.mkdirSync(at('attempt'), { recursive: true })
  const signal = new AbortController().signal
  const request = { spec, attemptId, attemptFolder: at('attempt'), hidden, signal }
  return workspaces().open(request)
}
let made: Workspaces | undefined
const workspaces = () =>
  (made ??= new Workspaces(at('out'), runId, { baseFolder: base, env: process.env }))
afterEach(async () => {
  await made?.close()
  made = undefined
})

describe('a copy of a folder', () => {
  test('has the modes and links of its source, and shares no inode with it', async () => {
    fs.chmodSync(at('src/a.txt'), 0o755)
    fs.symlinkSync('a.txt', at('src/link'))
    fs.chmodSync(at('src/deep'), 0o555)
    const { bytes, files } = await copyTree(at('src'), at('copy'))
    fs.chmodSync(at('src/deep'), 0o755)
    expect([bytes, files.size]).toEqual([9, 3])
    expect(fs.statSync(at('copy/a.txt')).mode & 0o777).toBe(0o755)
    expect(fs.statSync(at('copy/deep')).mode & 0o777).toBe(0o555)
    expect(fs.readlinkSync(at('copy/link'))).toBe('a.txt')
    expect(fs.statSync(at('copy/a.txt')).ino).not.toBe(fs.statSync(at('src/a.txt')).ino)
    expect(fs.statSync(at('copy/a.txt')).nlink).toBe(1)
  })

  test('holds files above a megabyte', async () => {
    write('src/large', 'x'.repeat(2 ** 20 + 1))
    const { bytes } = await copyTree(at('src'), at('copy'))
    expect(bytes).toBe(2 ** 20 + 10)
    expect(fs.readFileSync(at('copy/large')).equals(fs.readFileSync(at('src/large')))).toBe(true)
  })

  test('leaves out sockets and pipes, and has another fingerprint after a write', async () => {
    const first = await copyTree(at('src'), at('one'))
    fs.utimesSync(at('src/a.txt'), 1, 1)
    const second = await copyTree(at('src'), at('two'))
    expect(second.sourceFingerprint).not.toBe(first.sourceFingerprint)
  })
})

describe('the changes of a workspace', () => {
  test('are added, modified and deleted files with a unified diff', async () => {
    const copied = await copyTree(at('src'), at('work'))
    write('work/a.txt', 'one\n2\n')
    write('work/new.bin', 'x\0y')
    fs.rmSync(at('work/deep/b.txt'))
    const changes = await workspaceChanges(at('src'), at('work'), copied)
    expect(changes).toMatchObject({ added: 1, modified: 1, deleted: 1, truncated: false })
    expect(changes.files.map(({ path: name, kind }) => [name, kind])).toEqual([
      ['a.txt', 'modified'],
      ['deep/b.txt', 'deleted'],
      ['new.bin', 'added'],
    ])
    expect(changes.diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n')
    expect(changes.diff).toContain('Binary or large file added: new.bin (3 bytes)\n')
  })

  test('contain a file that is rewritten right after the copy with the same number of bytes', async () => {
    const copied = await copyTree(at('src'), at('work'))
    write('work/a.txt', 'ONE\nTWO\n')
    const { files } = await workspaceChanges(at('src'), at('work'), copied)
    expect(files).toEqual([{ path: 'a.txt', kind: 'modified', bytes: 8 }])
  })

  test('contain a file whose change is dated before the copy', async () => {
    const copied = await copyTree(at('src'), at('work'))
    write('work/a.txt', 'ONE\nTWO\n')
    const later = { ...copied, startedMs: copied.startedMs + 1e6, endedMs: copied.endedMs + 1e6 }
    const { files } = await workspaceChanges(at('src'), at('work'), later)
    expect(files.map((file) => file.path)).toEqual(['a.txt'])
  })

  test('do not list a file that was rewritten with the same content', async () => {
    const copied = await copyTree(at('src'), at('work'))
    write('work/a.txt', 'one\ntwo\n')
    fs.utimesSync(at('work/a.txt'), 1, 1)
    const { files } = await workspaceChanges(at('src'), at('work'), copied)
    expect(files).toEqual([])
  })
})

describe('a workspace', () => {
  test.each([
    ['always', true, true],
    ['always', false, true],
    ['on_failure', true, false],
    ['on_failure', false, true],
    ['never', false, false],
  ])('with retain %s after a pass (%s) is kept: %s', async (retain, hasPassed, kept) => {
    const one = await open({ path: 'src', retain })
    expect(await one.close(hasPassed)).toBe(kept)
    expect(fs.existsSync(at('attempt/workspace/a.txt'))).toBe(kept)
    expect(fs.readdirSync(at('out/tmp/workspaces'))).toEqual([])
  })

  test('leaves out the hidden files of its source', async () => {
    const one = await open({ path: 'src' }, [fs.realpathSync(at('src/deep'))])
    expect(fs.readdirSync(one.path)).toEqual(['a.txt'])
    await one.close(true)
  })

  test('of a folder that holds the output root and the suite leaves out both', async () => {
    write('suite.json', '{}')
    const context = { baseFolder: base, env: process.env, hidden: [at('suite.json')] }
    made = new Workspaces(at('out'), runId, context)
    const one = await open({ path: '.' })
    expect(fs.readdirSync(one.path).sort()).toEqual(['attempt', 'src'])
    const two = await open({ path: '.' }, [], '002-m-r1')
    expect(fs.readdirSync(two.path).sort()).toEqual(['attempt', 'src'])
    await Promise.all([one.close(true), two.close(true)])
  })

  test('is refused when its source was edited in place and its mtime set back', async () => {
    const { atime, mtime } = fs.statSync(at('src/a.txt'))
    await (await open({ path: 'src' })).close(true)
    fs.writeFileSync(at('src/a.txt'), 'ONE\nTWO\n')
    fs.utimesSync(at('src/a.txt'), atime, mtime)
    await expect(open({ path: 'src' })).rejects.toMatchObject({ code: 'ZCL_E_WORKSPACE_CHANGED' })
  })

  test('with folders deeper than the longest path is removed', async () => {
    const one = await open({ path: 'src' })
    const script =
      'for (let i = 0; i < 300; i++) { fs.mkdirSync("d".repeat(60)); process.chdir("d".repeat(60)) }; fs.writeFileSync("f", "")'
    const made = spawnSync(process.execPath, ['-e', script], { cwd: one.path, encoding: 'utf8' })
    expect(made.stderr).toBe('')
    expect((await one.changes()).added).toBe(0)
    await one.close(false)
    expect(fs.readdirSync(at('out/tmp/workspaces'))).toEqual([])
  })

  test('is refused when its source changed since the first one of the run', async () => {
    await (await open({ path: 'src' })).close(true)
    write('src/a.txt', 'changed')
    await expect(open({ path: 'src' })).rejects.toMatchObject({ code: 'ZCL_E_WORKSPACE_CHANGED' })
  })

  test('of a missing source is refused with a typed error', async () => {
    await expect(open({ path: 'none' })).rejects.toMatchObject({ code: 'ZCL_E_WORKSPACE' })
    await expect(open({ archive: 'x.tar' })).rejects.toMatchObject({ code: 'ZCL_E_WORKSPACE' })
    await expect(open({ git: 'src#HEAD' })).rejects.toMatchObject({ code: 'ZCL_E_WORKSPACE' })
  })

  test('of a dead process is swept by the next start; the one of a live process stays', async () => {
    const live = await open({ path: 'src' })
    const folder = at('out/tmp/workspaces')
    // A lock that names a process of this machine that has ended.
    const name = fs.readdirSync(folder).find((each) => each.endsWith('.lock'))
    const lock = fs.readFileSync(path.join(folder, name ?? ''), 'utf8')
    const child = spawnSync('true')
    fs.writeFileSync(
      path.join(folder, 'dead.lock'),
      lock.replaceAll(String(process.pid), String(child.pid)),
    )
    write('out/tmp/workspaces/dead/x', 'x')
    await sweepWorkspaces(at('out'))
    const left = fs.readdirSync(at('out/tmp/workspaces')).sort()
    expect(left).toEqual([path.basename(live.path), `${path.basename(live.path)}.lock`])
    await live.close(true)
  })
})

test('a folder that an agent replaced or closed is a folder of its owner again', () => {
  write('elsewhere/kept', 'x')
  fs.symlinkSync(at('elsewhere'), at('link'))
  write('file', 'x')
  fs.mkdirSync(at('closed'), { mode: 0o000 })
  for (const name of ['link', 'file', 'closed', 'gone']) {
    restoreFolder(at(name))
    expect([name, fs.lstatSync(at(name)).mode & 0o170700]).toEqual([name, 0o040700])
  }
  expect(fs.existsSync(at('elsewhere/kept'))).toBe(true)
})

test('the disk guard aborts an attempt that holds more than it may', async () => {
  write('big/file', 'x'.repeat(5000))
  const guard = startDiskGuard([at('big')], 4000)
  expect(await guard.end()).toBe(true)
  expect(guard.signal.reason).toMatchObject({ code: 'ZCL_E_DISK_LIMIT' })
  expect(await startDiskGuard([at('big')], 6000).end()).toBe(false)
})
