import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepObjects, keptFolder, mayLoseObjects } from './kept-objects.ts'

describe('a command that may delete objects', () => {
  it.each([
    '.git',
    'rm -rf .git',
    "rm -rf './.git'",
    'mv project/.git x',
    'x=.git',
    'git gc',
    'git -C x prune --expire=now',
    'git prune-packed',
    'git repack -ad',
    'git reflog expire --all',
    'git filter-branch',
    'git filter-repo',
    'git maintenance run',
    'rm -rf .',
    'rm -fR ./',
    'rm -r ..',
    'rm -r ../x',
    'rm -r /tmp/x',
    'rm -r ~/x',
    'rm -r "$PWD"',
    'rm -r .*',
    'rm -r x.[a-z]*',
    'rm -r {a,b}',
    'find . -delete',
    'find . -exec rm {} +',
    'cd x && rm -r y',
    `${'x'.repeat(9995)} .git`,
  ])('is `%s`', (command) => {
    expect(mayLoseObjects(command)).toBe(true)
  })

  it.each([
    'rm -rf build',
    'rm -f ./.gitignore',
    'cat .github/x',
    'git status',
    'git log; gc',
    'rm file',
    'find . -name x',
    'cd x && rm y',
    `${'x'.repeat(9996)} .git`,
  ])('is not `%s`', (command) => {
    expect(mayLoseObjects(command)).toBe(false)
  })
})

describe('kept objects', () => {
  let root: string
  let folder: string
  let kept: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-kept-')))
    folder = path.join(root, 'undo')
    kept = keptFolder(folder, '/project')
    put('git/objects/aa/one', 'one')
    put('git/objects/pack/two', 'two')
    put('git/config', '[core]\n\tx = y\n')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function put(name: string, text: string) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  const keep = () => keepObjects(folder, { top: '/project', folder: path.join(root, 'git') })
  const text = (name: string) => readFileSync(path.join(kept, name), 'utf8')
  const modeOf = (name: string) => statSync(path.join(kept, name)).mode & 0o777

  it('are in a folder that is named by the hash of the project', () => {
    expect(keptFolder('/undo', '/project')).toBe('/undo/git-ea0135bca5e3')
  })

  it('are hard links in a private git folder', async () => {
    put('git/info/exclude', '*.o\n')
    await keep()
    expect(readdirSync(kept, { recursive: true }).toSorted()).toEqual([
      'HEAD',
      'config',
      'info',
      'info/exclude',
      'objects',
      'objects/aa',
      'objects/aa/one',
      'objects/pack',
      'objects/pack/two',
      'refs',
    ])
    for (const name of ['objects/aa/one', 'objects/pack/two']) {
      expect(statSync(path.join(kept, name)).ino).toBe(statSync(path.join(root, 'git', name)).ino)
    }
    expect([text('HEAD'), text('config'), text('info/exclude')]).toEqual([
      'ref: refs/heads/kept\n',
      '[core]\n\tx = y\n',
      '*.o\n',
    ])
    const folders = ['.', 'info', 'objects', 'objects/aa', 'objects/pack', 'refs']
    expect(folders.map(modeOf)).toEqual(folders.map(() => 0o700))
    expect(['HEAD', 'config', 'info/exclude'].map(modeOf)).toEqual([0o600, 0o600, 0o600])
  })

  it('are linked again only if they are new', async () => {
    await keep()
    rmSync(path.join(root, 'git/objects/aa/one'))
    put('git/objects/aa/one', 'other')
    put('git/objects/aa/three', 'three')
    await keep()
    expect([text('objects/aa/one'), text('objects/aa/three')]).toEqual(['one', 'three'])
  })

  it('have no configuration that includes other files, and none without a configuration', async () => {
    put('git/config', '[core]\n [ Include ]\n\tpath = /x\n')
    await keep()
    expect(text('config')).toBe('')
    rmSync(path.join(root, 'git/config'))
    put('git/info/attributes', '')
    await keep()
    expect(text('config')).toBe('')
    expect(existsSync(path.join(kept, 'info/exclude'))).toBe(false)
  })

  it('of a linked working tree are those of the main repository', async () => {
    put('git/worktrees/w/commondir', '../..\n')
    await keepObjects(folder, { top: '/project', folder: path.join(root, 'git/worktrees/w') })
    expect(text('objects/aa/one')).toBe('one')
    expect(text('config')).toBe('[core]\n\tx = y\n')
  })

  it('name alternates by their absolute paths', async () => {
    put('git/objects/info/alternates', '../../other/objects\n\n/absolute\n')
    await keep()
    expect(text('objects/info/alternates')).toBe(`${root}/other/objects\n/absolute\n`)
    expect(modeOf('objects/info/alternates')).toBe(0o600)
    put('git/objects/info/alternates', '')
    await keep()
    expect(text('objects/info/alternates')).toBe('')
  })

  it('keep a link in the place of an object, and are no links themselves', async () => {
    symlinkSync('one', path.join(root, 'git/objects/aa/link'))
    mkdirSync(path.join(kept, 'objects/aa'), { recursive: true })
    symlinkSync('nowhere', path.join(kept, 'objects/aa/one'))
    await keep()
    expect(readlinkSync(path.join(kept, 'objects/aa/one'))).toBe('nowhere')
    expect(readdirSync(path.join(kept, 'objects/aa'))).toEqual(['one'])
  })

  it.each(['config', 'info/exclude', 'commondir'])(
    'are not kept with a pipe in place of %s',
    async (name) => {
      const file = path.join(root, 'git', name)
      mkdirSync(path.dirname(file), { recursive: true })
      rmSync(file, { force: true })
      execFileSync('mkfifo', [file])
      await expect(keep()).rejects.toThrow(`cannot read ${file}: it is not a regular file`)
    },
  )

  it.runIf(existsSync('/dev/shm'))('are private copies on another file system', async () => {
    const other = mkdtempSync('/dev/shm/zee-kept-')
    try {
      chmodSync(path.join(root, 'git/objects/aa/one'), 0o444)
      const far = keptFolder(other, '/project')
      await keepObjects(other, { top: '/project', folder: path.join(root, 'git') })
      expect(readFileSync(path.join(far, 'objects/aa/one'), 'utf8')).toBe('one')
      expect(statSync(path.join(far, 'objects/aa/one')).mode & 0o777).toBe(0o600)
    } finally {
      rmSync(other, { recursive: true })
    }
  })
})
