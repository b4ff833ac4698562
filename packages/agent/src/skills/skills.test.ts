import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSkills, parseFrontMatter } from './skills.ts'

let at: string
beforeEach(() => {
  at = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-skills-')))
  mkdirSync(path.join(at, 'project'))
  mkdirSync(path.join(at, 'home/base'), { recursive: true })
})
afterEach(() => rmSync(at, { recursive: true, force: true }))

function put(file: string, text: string): string {
  const target = path.join(at, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
  return target
}
const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`
const load = () =>
  loadSkills({
    project: path.join(at, 'project'),
    home: path.join(at, 'home'),
    base: path.join(at, 'home/base'),
  })

describe('loadSkills', () => {
  it('finds the skills of all four folders, those of the project first', () => {
    const file = put('project/.claude/skills/b/SKILL.md', skill('b', 'Second'))
    put('project/.agents/skills/a/SKILL.md', skill('a', 'First'))
    put('home/.agents/skills/c/SKILL.md', skill('c', 'Third'))
    put('home/base/skills/d/SKILL.md', skill('d', 'Fourth'))
    put('home/base/skills/other/SKILL.md', skill('a', 'Hidden by the project'))
    put('home/base/skills/no-skill/readme.md', 'x')
    const { skills, warnings, text } = load()
    expect(skills.map(({ name, description }) => `${name} ${description}`)).toEqual([
      'a First',
      'b Second',
      'c Third',
      'd Fourth',
    ])
    expect(warnings).toEqual([])
    expect(text).toContain(`\n- b: Second (${file})`)
  })

  it('finds skills beside a configuration that is not below home', () => {
    put('elsewhere/skills/e/SKILL.md', skill('e', 'Fifth'))
    const { skills, warnings } = loadSkills({
      project: path.join(at, 'project'),
      home: path.join(at, 'home'),
      base: path.join(at, 'elsewhere'),
    })
    expect(skills.map(({ name }) => name)).toEqual(['e'])
    expect(warnings).toEqual([])
  })

  it('has no text without skills', () => {
    expect(load()).toEqual({ skills: [], warnings: [], text: undefined })
  })

  it('warns about a broken SKILL.md and ignores it', () => {
    put('project/.agents/skills/a/SKILL.md', 'no front matter')
    put('project/.agents/skills/b/SKILL.md', '---\ndescription: x\n---\n')
    put('project/.agents/skills/c/SKILL.md', '---\nname: c\n---\n')
    mkdirSync(path.join(at, 'project/.agents/skills/d/SKILL.md'), { recursive: true })
    const { skills, warnings } = load()
    expect(skills).toEqual([])
    expect(warnings.map((warning) => warning.replace(/.*ignored: /, ''))).toEqual([
      'it has no front matter',
      'it has no name',
      'it has no description',
      'it is a folder',
    ])
  })

  it('does not follow links out of the project', () => {
    put('secret/SKILL.md', skill('stolen', 'x'))
    mkdirSync(path.join(at, 'project/.agents/skills/a'), { recursive: true })
    symlinkSync(
      path.join(at, 'secret/SKILL.md'),
      path.join(at, 'project/.agents/skills/a/SKILL.md'),
    )
    symlinkSync(path.join(at, 'secret'), path.join(at, 'project/.agents/skills/b'))
    const { skills, warnings } = load()
    expect(skills).toEqual([])
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('leads out of')
  })

  it('keeps the list within 2 KiB', () => {
    for (let index = 0; index < 60; index++) {
      put(`project/.agents/skills/s${index}/SKILL.md`, skill(`s${index}`, 'd'.repeat(500)))
    }
    const { text = '' } = load()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048)
    expect(text).toMatch(/\n\(\d+ more: zdx skills list\)$/)
  })
})

describe('parseFrontMatter', () => {
  it('reads quotes, block texts and comments', () => {
    const { values, body } =
      parseFrontMatter(
        '---\nname: "a \\"b\\""\nplain: x # note\nfolded: >-\n  one\n  two\nmeta:\n  deep: y\nlist: \'it\'\'s\'\n---\nbody\n',
      ) ?? {}
    expect(values?.get('name')).toBe('a "b"')
    expect(values?.get('plain')).toBe('x')
    expect(values?.get('folded')).toBe('one two')
    expect(values?.get('list')).toBe("it's")
    expect(body).toBe('body\n')
    expect(parseFrontMatter('# title\n---\n')).toBeUndefined()
  })

  it.each<[head: string, value: string]>([
    ['k: a', 'a'],
    ['k:', ''],
    ['k:a', ''],
    ['k: a: b', 'a: b'],
    ['k: a#b', 'a#b'],
    ['k: "a # b"', 'a # b'],
    ["k: 'a'' b'", "a' b"],
    ['k: "a', '"a'],
    ['k: |\n  one\n\n  two', 'one\n\ntwo'],
    ['k: |-\n  one', 'one'],
    ['k: >\n  one\n  two', 'one two'],
    ['k: >+\n\tone', 'one'],
    ['k: one\n  two\n three', 'one two three'],
    ['k: one\nx: y', 'one'],
    ['k: one\r\n  two', 'one two'],
    ['k: one\nk: two', 'two'],
    ['1k: one\nk: two', 'two'],
  ])('reads the value of %j', (head, value) => {
    expect(parseFrontMatter(`---\n${head}\n---\n`)?.values.get('k') ?? '').toBe(value)
  })

  it.each<[text: string, body: string | undefined]>([
    ['---\nk: a\n---', ''],
    ['\uFEFF--- \r\nk: a\r\n---\t\r\nbody', 'body'],
    ['---\n\n---\nbody', 'body'],
    ['---\nk: a\n---x\n---\nbody', 'body'],
    ['---\nk: a\n', undefined],
    ['\n---\nk: a\n---\n', undefined],
    ['', undefined],
  ])('the text after the front matter of %j is %j', (text, body) => {
    expect(parseFrontMatter(text)?.body).toBe(body)
  })
})
