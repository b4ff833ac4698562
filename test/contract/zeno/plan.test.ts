// `zeno plan`: the plans of six reading modes, as requests that the server accepts unchanged.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeAll(() => {
  box = createSandbox({ 'src/a.ts': 'export function parseDate() {}\n', 'README.md': '# x\n' })
})
afterAll(() => box.remove())

const modes = [
  ['codebase-archaeology', 'arch-'],
  ['security-audit', 'sec-'],
  ['architecture-mapping', 'archmap-'],
  ['pr-review', 'pr-'],
  ['skill-generation', 'skill-'],
  ['deep-research', 'research-'],
] as const

interface Row {
  id: string
  op: string
  args: Json & { pattern?: string; path?: string }
  purpose: string
}

async function plan(...args: string[]): Promise<Row[]> {
  const ran = await box.zeno(['plan', ...args], { cwd: box.root })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

describe('zeno plan', () => {
  it('lists and describes the six modes', async () => {
    const { stdout } = await box.zeno(['plan', 'list'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
    for (const [mode] of modes) {
      expect(stdout).toContain(mode)
      const described = await box.zeno(['plan', 'describe', '--mode', mode])
      expect(described).toMatchObject({ code: 0 })
      expect(described.stdout).toContain(`${mode}: `)
    }
  })

  it.each(modes)('mode %s prints requests with ids %sN and a purpose', async (mode, prefix) => {
    for (const row of await plan('--mode', mode)) {
      expect(row.id.startsWith(prefix)).toBe(true)
      expect(Object.keys(row)).toEqual(['id', 'op', 'args', 'purpose'])
    }
  })

  it.each(modes.filter(([mode]) => mode !== 'pr-review'))(
    'mode %s prints requests that the server answers without errors',
    async (mode) => {
      const args = ['plan', '--mode', mode, '--symbol', 'parseDate', '--key-term', 'date']
      const { stdout } = await box.zeno(args)
      const answers = await box.zeno(['serve', '--root', box.root], { input: stdout })
      const replies = answers.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json)
      const failed = replies.filter(({ ok }) => ok !== true)
      expect(failed.map(({ error }) => error)).toEqual(
        mode === 'deep-research' ? [{ message: expect.stringContaining('<DOC_PATH>') }] : [],
      )
    },
  )

  it('prints placeholders for missing inputs', async () => {
    const text = async (mode: string) => JSON.stringify(await plan('--mode', mode))
    expect(await text('codebase-archaeology')).toContain('<SYMBOL>')
    expect(await text('skill-generation')).toContain('<KEY_TERM>')
    expect(await text('deep-research')).toContain('<DOC_PATH>')
    expect(await text('pr-review')).toContain('<CHANGED_FILE>')
  })

  it.each([
    ['typescript', 'a.ts', 'export const parseDate = 1'],
    ['javascript', 'a.js', 'module.exports.parseDate = function () {}'],
    ['python', 'a.py', '    async def parseDate(self):'],
    ['go', 'a.go', 'func (d *Date) parseDate(s string) error {'],
    ['rust', 'a.rs', 'pub(crate) fn parseDate() {}'],
    ['java', 'a.java', '  public static Date parseDate(String s) {'],
    ['kotlin', 'a.kt', 'fun String.parseDate(): Date {'],
    ['c', 'a.c', 'static int parseDate(const char *s)'],
    ['cpp', 'a.cpp', 'Date Calendar::parseDate(const std::string& s) {'],
    ['csharp', 'a.cs', '    public static Date parseDate(string s)'],
    ['swift', 'a.swift', '  private func parseDate() {}'],
    ['ruby', 'a.rb', '  def self.parseDate(s)'],
    ['php', 'a.php', 'public function parseDate($s) {'],
    ['scala', 'a.scala', '  def parseDate(s: String) = s'],
    ['shell', 'a.sh', 'parseDate() {'],
  ])('prints a pattern that matches only the definition in %s', async (language, file, line) => {
    const other = createSandbox({
      [file]: `// parseDate is used here\n${line}\n  x = parseDate2()\n`,
    })
    try {
      const args = [
        '--mode',
        'codebase-archaeology',
        '--language',
        language,
        '--symbol',
        'parseDate',
      ]
      const definition = (await plan(...args))[1]
      const hits = await other.server().ok('grep', definition?.args)
      expect(hits.hits).toMatchObject([{ path: file, line: 2 }])
    } finally {
      await other.remove()
    }
  })

  it('escapes regex characters in a symbol', async () => {
    const [, definition] = await plan('--mode', 'codebase-archaeology', '--symbol', 'a.b(c')
    expect(definition?.args.pattern).toContain('a\\.b\\(c')
  })

  it('lists the files changed since the merge base with --git and --base', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', box.root, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        stdio: 'pipe',
      })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-qm', 'first')
    git('checkout', '-qb', 'topic')
    box.put({ 'src/new \u00e9.ts': 'new\n' })
    git('add', '.')
    git('commit', '-qm', 'second')
    const rows = await plan(
      '--mode',
      'pr-review',
      '--git',
      '--git-root',
      box.root,
      '--base',
      'main',
    )
    expect(rows.map(({ id }) => id)).toEqual(['pr-1', 'pr-2', 'pr-usage'])
    expect(rows[0]?.args.path).toBe('src/new \u00e9.ts')
    const client = box.server()
    await client.ok(rows[0]?.op ?? '', rows[0]?.args)
  })

  it('exits with a message if git fails', async () => {
    const args = ['plan', '--mode', 'pr-review', '--git', '--git-root', box.base]
    const ran = await box.zeno([...args, '--base', 'no-such-branch'])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(
      /^zeno: cannot list the changed files of no-such-branch\.\.\.HEAD: .+\n$/,
    )
  })

  it('has a pack of 18 patterns in six categories and accepts a custom pack', async () => {
    const rows = await plan('--mode', 'security-audit')
    expect(rows).toHaveLength(18)
    const categories = new Set(rows.map(({ purpose }) => purpose.split(' ')[0]))
    expect([...categories].sort()).toEqual([
      'auth',
      'code-exec',
      'command-injection',
      'deserialization',
      'secrets',
      'sql-injection',
    ])
    expect(await plan('--mode', 'security-audit', '--max-patterns', '3')).toHaveLength(3)
    const pack = path.join(box.base, 'pack.json')
    const own = { pattern: 'TODO', category: 'own', severity: 'low', globs: ['**/*.ts'] }
    writeFileSync(pack, JSON.stringify({ version: 1, patterns: [own] }))
    expect(await plan('--mode', 'security-audit', '--pack', pack)).toMatchObject([
      { args: { pattern: 'TODO', paths: ['**/*.ts'] }, purpose: 'own (low): pattern-1' },
    ])
    writeFileSync(pack, '{}')
    const bad = await box.zeno(['plan', '--mode', 'security-audit', '--pack', pack])
    expect(bad).toMatchObject({ code: 2, stdout: '' })
  })

  it('prints plans as JSON and as text', async () => {
    const args = ['plan', '--mode', 'architecture-mapping', '--format']
    expect(JSON.parse((await box.zeno([...args, 'json'])).stdout)).toHaveLength(8)
    expect((await box.zeno([...args, 'text'])).stdout).toMatch(
      /^archmap-1 {2}summary \{\}\n {4}size/,
    )
  })

  it.each([[[]], [['--mode', 'nope']], [['--mode', 'pr-review', '--base', 'x']]])(
    'exits 2 for %j',
    async (args) => {
      const ran = await box.zeno(['plan', ...args])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
    },
  )
})

describe('zeno plan --run', () => {
  it.each(modes)('runs mode %s without further inputs', async (mode) => {
    const ran = await box.zeno(['plan', mode, '--run', '--root', box.root], { cwd: box.root })
    expect(ran.code).toBe(0)
    const rows = ran.stdout.split('\n').filter((line) => line !== '')
    for (const row of rows) expect(JSON.parse(row)).toMatchObject({ ok: true })
    expect(rows.length + ran.stderr.split('skipped').length - 1).toBeGreaterThan(0)
  })

  it('names the flag of every placeholder that it skips', async () => {
    const run = (mode: string) => box.zeno(['plan', mode, '--run'], { cwd: box.root })
    expect((await run('codebase-archaeology')).stderr).toContain('pass --symbol <name>')
    expect((await run('skill-generation')).stderr).toContain('pass --key-term <text>')
    expect((await run('deep-research')).stderr).toContain('pass --doc <path>')
    expect((await run('pr-review')).stderr).toContain('pass --changed <file> or --git')
  })
})

describe('zeno plan pr-review --git', () => {
  it('reads the changed lines, leaves out lock files and executes nothing of the repository', async () => {
    const other = createSandbox({
      'a.ts': `${'x\n'.repeat(100)}`,
      'package-lock.json': '{}\n',
      'go.work.sum': '',
    })
    try {
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', HOME: other.base }
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', other.root, ...who, ...args], { env })
      git('init', '-q')
      git('add', '-A')
      git('commit', '-q', '-m', 'first')
      other.put({
        'a.ts': `${'x\n'.repeat(49)}changed\n${'x\n'.repeat(50)}`,
        'package-lock.json': '{"a":1}\n',
        'go.work.sum': 'x\n',
        '.gitattributes': '* filter=trap diff=trap\n',
      })
      const marker = path.join(other.base, 'marker')
      for (const name of [
        'core.fsmonitor',
        'diff.external',
        'filter.trap.clean',
        'diff.trap.textconv',
      ]) {
        git('config', name, `touch ${marker}; cat`)
      }
      const ran = await other.zeno(['plan', 'pr-review', '--git'], { cwd: other.root })
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      const [first] = ran.stdout.split('\n')
      expect(JSON.parse(first ?? '')).toMatchObject({
        op: 'read_many',
        args: { reads: [{ path: 'a.ts', start_line: 42, end_line: 58 }] },
      })
      expect(ran.stdout).not.toMatch(/package-lock\.json|go\.work\.sum/)
      expect(existsSync(marker)).toBe(false)
    } finally {
      await other.remove()
    }
  })
})
