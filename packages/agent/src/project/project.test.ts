import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { baseFolder, findWorkplace, projectRoot, sessionsFolder } from './project.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-project-')))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('projectRoot', () => {
  it('is the top level of the git repository around the folder', () => {
    mkdirSync(path.join(base, 'repo/.git'), { recursive: true })
    mkdirSync(path.join(base, 'repo/a/b'), { recursive: true })
    expect(projectRoot(path.join(base, 'repo/a/b'))).toBe(path.join(base, 'repo'))
    expect(projectRoot(path.join(base, 'repo'))).toBe(path.join(base, 'repo'))
  })

  it('accepts the .git file of a worktree', () => {
    mkdirSync(path.join(base, 'tree/sub'), { recursive: true })
    writeFileSync(path.join(base, 'tree/.git'), 'gitdir: /elsewhere\n')
    expect(projectRoot(path.join(base, 'tree/sub'))).toBe(path.join(base, 'tree'))
  })

  it('is the canonical folder itself outside a repository', () => {
    mkdirSync(path.join(base, 'plain'))
    symlinkSync('plain', path.join(base, 'link'))
    expect(projectRoot(path.join(base, 'link'))).toBe(path.join(base, 'plain'))
    expect(findWorkplace(path.join(base, 'plain')).top).toBeUndefined()
  })

  it('is the absolute path of a folder that does not exist', () => {
    expect(projectRoot(path.join(base, 'gone'))).toBe(path.join(base, 'gone'))
  })

  it.runIf(process.getuid?.() === 0)('accepts the repository of any user for root', () => {
    for (const folder of ['repo/.git', 'repo/a']) {
      mkdirSync(path.join(base, folder), { recursive: true })
    }
    chownSync(path.join(base, 'repo/.git'), 1, 1)
    expect(projectRoot(path.join(base, 'repo/a'))).toBe(path.join(base, 'repo'))
  })

  it('ignores a .git that is a link', () => {
    mkdirSync(path.join(base, 'real'))
    mkdirSync(path.join(base, 'plain'))
    symlinkSync('../real', path.join(base, 'plain/.git'))
    expect(projectRoot(path.join(base, 'plain'))).toBe(path.join(base, 'plain'))
  })
})

describe('baseFolder', () => {
  it.each([
    [{ ZDX_HOME: '/z', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/z'],
    [{ ZDX_HOME: 'z', HOME: '/h' }, '/work/z'],
    [{ ZDX_HOME: '', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/zdx'],
    [{ XDG_CONFIG_HOME: 'x', HOME: '/h' }, '/work/x/zdx'],
    [{ XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/zdx'],
    [{ HOME: '' }, path.join(os.userInfo().homedir, '.config/zdx')],
    [{}, path.join(os.userInfo().homedir, '.config/zdx')],
  ])('of %j is %s', (env, folder) => {
    expect(baseFolder(env, '/work')).toBe(folder)
    expect(sessionsFolder(folder)).toBe(`${folder}/sessions`)
  })
})
