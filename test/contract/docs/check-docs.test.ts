// build/check-docs.mjs reports every kind of mistake that it checks for.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeProblems, settingProblems } from '../../../build/docs-codes.mjs'
import { unnamedCommands, wrongCommands } from '../../../build/docs-commands.mjs'
import { deadLinks } from '../../../build/docs-links.mjs'
import { putSummary } from '../../../build/docs-summary.mjs'
import { drift } from '../../../build/docs.mjs'
import type { Command } from '../../../packages/core/src/cli/cli.ts'
import { repository } from '../../support/paths.ts'

const require = createRequire(import.meta.url)
const treeOf = (name: string): Command =>
  (require(path.join(repository, 'packages', name, 'dist/commands.cjs')) as { tree: Command }).tree
const trees = new Map(['zdx', 'zeno', 'zino', 'zcl'].map((name) => [name, treeOf(name)]))

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function pageWith(text: string): string {
  const page = path.join(folder, 'page.md')
  writeFileSync(page, text)
  return page
}

const wrong = (text: string): string[] =>
  wrongCommands(pageWith(text), trees).map((problem) => problem.replace(/^[^:]*: /, ''))

describe('the check of command lines in the docs', () => {
  it.each([
    ['`zcl run --captur -- ls`', 'no flag --captur in `zcl run --captur`'],
    ['`zcl atempt start`', 'no command atempt in `zcl atempt start`'],
    ['```sh\nzeno serve --rot .\n```', 'no flag --rot in `zeno serve --rot .`'],
    ['```console\n$ echo x | zino chat --strem\n```', 'no flag --strem in `zino chat --strem`'],
    ['```\nzcl init && zcl report --jsn x\n```', 'no flag --jsn in `zcl report --jsn x`'],
    ['`zcl run -- zdx exec -x hi`', 'no flag -x in `zdx exec -x hi`'],
  ])('reports %j', (text, problem) => {
    expect(wrong(text)).toEqual([problem])
  })

  it.each([
    '`zcl run --capture -- ls --any-flag-of-ls`',
    '`zcl attempt start --suite s --mission m --json`',
    '`zdx --provider script exec -p "fix it"`',
    '`zino -c F chat -ch work "and yesterday?"`',
    '```console\n$ zeno tail -n5 --log x\nzeno prints --this\n```',
    '```json\n{"command": "zeno serve --nope"}\n```',
    'zcl --nope outside of code',
  ])('accepts %j', (text) => {
    expect(wrong(text)).toEqual([])
  })

  it('reports a command that no page mentions', () => {
    const zcl = trees.get('zcl') as Command
    const all = readFileSync(path.join(repository, 'docs/reference/zcl.md'), 'utf8')
    expect(unnamedCommands(zcl, all)).toEqual([])
    expect(unnamedCommands(zcl, all.replaceAll('zcl attempt finish', ''))).toEqual([
      'zcl attempt finish',
    ])
  })
})

describe('the check of links', () => {
  it.each([
    ['[x](nowhere.md)', ['nowhere.md']],
    ['[x](#no-such-heading)', ['#no-such-heading']],
    ['# A `zcl run`: why?\n[x](#a-zcl-run-why) [y](https://example.com/dead)', []],
    ['# Twice\n# Twice\n[x](#twice-1) [y](#twice-2)', ['#twice-2']],
    ['`[x](nowhere.md)`\n```\n[y](nowhere.md)\n```\n', []],
  ])('reports the dead links of %j', (text, dead) => {
    const found = deadLinks(pageWith(text)).map((problem) => problem.split('dead link ')[1])
    expect(found).toEqual(dead)
  })
})

describe('the check of codes and settings', () => {
  const page = readFileSync(path.join(repository, 'docs/errors.md'), 'utf8')

  it('reports a raised code without a row, and a row whose code is never raised', () => {
    const lines = page.split('\n').filter((line) => !line.includes('`lock_timeout`'))
    const problems = codeProblems([...lines, '| `made_up` | x |'].join('\n'), new Set())
    expect(problems).toContain('docs/errors.md: no row for the code `lock_timeout`')
    expect(problems).toContain('docs/errors.md: `made_up` is raised nowhere')
    expect(problems).toContain('packages/zcl: no code ZCL_E_USAGE in the table')
  })

  it('reports an unused code of the table', () => {
    expect(codeProblems(page, new Set(['ZCL_E_MADE_UP']))).toContain(
      'packages/zcl: nothing uses the code ZCL_E_MADE_UP',
    )
  })

  it('reports an unknown setting in an example', () => {
    const keys = new Set(['api.key', 'routes[].model', 'providers.<name>.wire'])
    const text = (toml: string): string => `\`\`\`toml\n${toml}\n\`\`\`\n`
    const fine = '[api]\nkey = ""\n[[routes]]\nmodel = "m"\n[providers.mine]\nwire = "x"'
    expect(settingProblems('p.md', text(fine), keys)).toEqual([])
    expect(settingProblems('p.md', text('[api]\nkye = 1'), keys)).toEqual([
      'p.md: no setting api.kye',
    ])
  })
})

it('the check of generated files reports missing, outdated and obsolete files', () => {
  const stored = readFileSync(path.join(repository, 'docs/reference/zcl.md'), 'utf8')
  const problems = drift(
    new Map([
      ['reference/zcl.md', stored],
      ['reference/zeno.md', 'something else'],
      ['reference/new.md', ''],
    ]),
  )
  expect(problems).toContain('docs/reference/zeno.md: is not what the code says (npm run docs)')
  expect(problems).toContain('docs/reference/new.md: is missing (npm run docs)')
  expect(problems).toContain('docs/reference/zdx.md: nothing in the code makes it (npm run docs)')
  expect(problems.join('\n')).not.toContain('reference/zcl.md')
})

describe('the comparison in README.md', () => {
  const read = (name: string): string => readFileSync(path.join(repository, name), 'utf8')
  const [readme, performance] = [read('README.md'), read('docs/performance.md')]

  it('matches docs/performance.md', () => {
    expect(putSummary(readme, performance)).toBe(readme)
  })

  it('changes with the figures of docs/performance.md', () => {
    const slower = performance.replace(/^(\| zdx exec +\| \d+(?:\.\d+)? +\| )\d\.\d\d/m, '$19.87')
    expect(putSummary(readme, slower)).toContain('| 9.87 x ')
  })

  it('cannot be built without the table of a claim', () => {
    const without = performance.replace('**zdx/answer**', '**zdx/other**')
    expect(() => putSummary(readme, without)).toThrow('no table zdx/answer')
  })
})
