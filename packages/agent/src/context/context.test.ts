import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findWorkplace } from '../project/project.ts'
import { loadProjectContext } from './context.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-context-')))
  mkdirSync(path.join(home, 'base'))
  mkdirSync(path.join(home, 'work/team/project'), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (folder: string, text: string) =>
  writeFileSync(path.join(home, folder, 'AGENTS.md'), text)
const load = (root = 'work/team/project', under: string | null = home) =>
  loadProjectContext({
    base: path.join(home, 'base'),
    home: under ?? undefined,
    workplace: findWorkplace(path.join(home, root)),
  })

describe('project context', () => {
  it('contains the configuration folder, home, the folders in between and the project, in this order', () => {
    for (const folder of ['base', '', 'work', 'work/team', 'work/team/project']) {
      put(folder, ` guidance of ${folder || 'home'}\n\n`)
    }
    const { text, paths, warnings } = load()
    const file = (folder: string) => path.join(home, folder, 'AGENTS.md')
    expect(paths).toEqual(['base', '', 'work', 'work/team', 'work/team/project'].map(file))
    expect(warnings).toEqual([])
    expect(text).toBe(
      [
        '# Project Context',
        `## ${file('base')}\n\nguidance of base`,
        `## ${file('')}\n\nguidance of home`,
        `## ${file('work')}\n\nguidance of work`,
        `## ${file('work/team')}\n\nguidance of work/team`,
        `## ${file('work/team/project')}\n\nguidance of work/team/project`,
      ].join('\n\n'),
    )
  })

  it('omits home for a project that is not below it', () => {
    put('', 'home')
    put('work', 'between')
    put('work/team/project', 'project')
    expect(load('work/team/project', '/nonexistent').paths).toHaveLength(1)
    expect(load('work/team/project', null).paths).toHaveLength(1)
  })

  it('loads a file only once, at its first position', () => {
    put('base', 'same')
    symlinkSync(path.join(home, 'base/AGENTS.md'), path.join(home, 'work/AGENTS.md'))
    expect(load().paths).toEqual([path.join(home, 'base/AGENTS.md')])
    put('', 'root is home')
    expect(load('').paths).toHaveLength(2)
  })

  it('skips empty files and has no text if no file has any', () => {
    put('base', ' \n\t')
    expect(load()).toEqual({ text: undefined, paths: [], warnings: [] })
  })

  it('cuts a large file on a character boundary and warns', () => {
    put('base', `${'x'.repeat(65_535)}€ and more`)
    const { text, warnings } = load()
    expect(warnings).toEqual([
      `Truncated ${path.join(home, 'base/AGENTS.md')} (65547 bytes) to 65536 bytes`,
    ])
    expect(text).toContain('AGENTS.md [truncated]\n\nxxx')
    expect(text).not.toContain('\ufffd')
  })

  it('warns about a folder or a pipe of that name and continues', () => {
    mkdirSync(path.join(home, 'base/AGENTS.md'))
    execFileSync('mkfifo', [path.join(home, 'AGENTS.md')])
    put('work/team/project', 'fine')
    const { text, warnings } = load()
    expect(warnings).toHaveLength(2)
    expect(warnings.every((warning) => warning.startsWith('Failed to read '))).toBe(true)
    expect(text).toContain('fine')
  })

  it.each([
    ['a secret at home', () => path.join(home, 'secret')],
    ['a relative path out of the project', () => '../../../secret'],
    ['a device', () => '/dev/zero'],
  ])('does not follow a link to %s and says so', (_, target) => {
    writeFileSync(path.join(home, 'secret'), 'SECRET')
    put('base', 'fine')
    const file = path.join(home, 'work/team/project/AGENTS.md')
    symlinkSync(target(), file)
    const { text, paths, warnings } = load()
    expect(text).not.toContain('SECRET')
    expect(paths).toEqual([path.join(home, 'base/AGENTS.md')])
    expect(warnings).toEqual([
      `Failed to read ${file}: it is a link that leads out of ${path.dirname(file)}`,
    ])
  })

  it('follows links inside the project, and those of the configuration folder inside home', () => {
    mkdirSync(path.join(home, 'work/team/project/docs'))
    put('work/team/project/docs', 'linked')
    symlinkSync('docs/AGENTS.md', path.join(home, 'work/team/project/AGENTS.md'))
    writeFileSync(path.join(home, 'dotfile'), 'mine')
    symlinkSync('../dotfile', path.join(home, 'base/AGENTS.md'))
    const { text, warnings } = load()
    expect(warnings).toEqual([])
    expect(text).toContain('linked')
    expect(text).toContain('mine')
  })

  it('replaces bytes that are not UTF-8', () => {
    writeFileSync(path.join(home, 'base/AGENTS.md'), Buffer.from([0x61, 0xff, 0x62]))
    expect(load().text).toContain('a\ufffdb')
  })
})
