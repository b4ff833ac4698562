import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PermissionMode } from './permissions.ts'
import { matchesHook, Permissions } from './permissions.ts'
import { matchesCommand, matchesPath } from './wildcard.ts'

let base: string
let root: string
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-permissions-')))
  root = path.join(base, 'root')
  mkdirSync(path.join(root, 'src'), { recursive: true })
  mkdirSync(path.join(base, 'out'))
  symlinkSync('../../out', path.join(root, 'src/out'))
  symlinkSync('src', path.join(root, 'alias'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

function judge(
  mode: PermissionMode,
  rules: { allow?: string[]; deny?: string[] },
  name: string,
  object: string,
): string {
  const { allow = [], deny = [] } = rules
  const permissions = new Permissions({ mode, allow, deny, root, home: path.join(base, 'home') })
  const input = name === 'bash' ? { command: object } : { path: object }
  return permissions.judge({ name, input }).kind
}

describe('a permission mode', () => {
  it.each<[PermissionMode, string, string]>([
    ['allow', 'bash', 'allow'],
    ['ask', 'bash', 'ask'],
    ['ask', 'read', 'allow'],
    ['ask', 'search', 'allow'],
    ['ask', 'write', 'ask'],
    ['ask', 'mcp__x__y', 'ask'],
    ['read-only', 'edit', 'deny'],
    ['read-only', 'read', 'allow'],
    ['read-only', 'mcp__x__y', 'deny'],
  ])('%s answers %s with %s', (mode, name, expected) => {
    expect(judge(mode, {}, name, 'x')).toBe(expected)
  })

  it('read-only runs what an allow rule names', () => {
    expect(judge('read-only', { allow: ['bash:npm test*'] }, 'bash', 'npm test')).toBe('allow')
  })
})

describe('allow rules', () => {
  it.each<[string, string, string]>([
    ['edit:src/**', 'src/a', 'allow'],
    ['edit:src/**', './src/x/../a', 'allow'],
    ['edit:src/**', 'src/../a', 'ask'],
    ['edit:src/**', 'src/out/a', 'ask'],
    ['edit:src/**', 'alias/a', 'allow'],
    ['edit:**', '/etc/passwd', 'ask'],
    ['edit:**', '../a', 'ask'],
    ['edit', '/etc/passwd', 'allow'],
    ['edit:/etc/*', '/etc/passwd', 'allow'],
    ['edit:~/notes/**', '/nowhere/notes/a', 'ask'],
    ['write:src/**', 'src/a', 'ask'],
    ['*:src/**', 'src/a', 'allow'],
  ])('%s answers edit %s with %s', (rule, file, expected) => {
    expect(judge('ask', { allow: [rule] }, 'edit', file)).toBe(expected)
  })

  it('cover paths below the home folder', () => {
    const file = path.join(base, 'home/notes/a')
    expect(judge('ask', { allow: ['edit:~/notes/**'] }, 'edit', file)).toBe('allow')
  })

  it.each<[string, string]>([
    ['echo a && echo b', 'allow'],
    ['echo "$(echo b)"', 'allow'],
    ['echo a | cat', 'ask'],
    ['echo a > src/f', 'allow'],
    ['echo a > f', 'ask'],
    ['echo a > src/../f', 'ask'],
    ['echo a > src/out/f', 'ask'],
    ['echo a > /dev/null 2>&1', 'allow'],
    ['echo a < /etc/passwd', 'allow'],
    ['cd src; echo a > f', 'ask'],
    ['cd out && echo a > src/f', 'ask'],
    ['X=1 echo a', 'ask'],
    ['X=1', 'ask'],
    ['$x echo a', 'ask'],
    ['echo', 'ask'],
    ['', 'ask'],
    ['echo "', 'ask'],
  ])('of a shell answer %j with %s', (command, expected) => {
    const allow = ['bash:echo *', 'bash:cd *', 'write:src/**']
    expect(judge('ask', { allow }, 'bash', command)).toBe(expected)
  })

  it('for every command still need a rule for a redirection that writes', () => {
    expect(judge('ask', { allow: ['bash:*'] }, 'bash', 'a; b | c')).toBe('allow')
    expect(judge('ask', { allow: ['bash:*'] }, 'bash', 'a > f')).toBe('ask')
    expect(judge('ask', { allow: ['bash:*', 'write:f'] }, 'bash', 'a > f')).toBe('allow')
  })
})

describe('deny rules', () => {
  it.each([
    'rm x',
    'true && rm x',
    'echo $(rm x)',
    'env rm x',
    '/bin/rm x',
    ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'].map((shell) => `${shell} -c 'rm x'`),
    'eval "rm x"',
    'echo a | xargs rm x',
    'cat <<E\n$(rm x)\nE',
  ])('apply to every part of %j', (command) => {
    const rules = { allow: ['bash:*', 'bash'], deny: ['bash:rm *'] }
    for (const mode of ['allow', 'ask', 'read-only'] as const) {
      expect(judge(mode, rules, 'bash', command)).toBe('deny')
    }
  })

  it('ask about a command that cannot be parsed, also in allow mode', () => {
    for (const command of ['echo "', 'X=rm; $X x', 'sh -c "$x"']) {
      expect(judge('allow', { deny: ['bash:rm *'] }, 'bash', command)).toBe('ask')
      expect(judge('allow', { deny: ['edit:x'] }, 'bash', command)).toBe('allow')
    }
  })

  it('cover redirections, links and reading', () => {
    expect(judge('allow', { deny: ['write:src/**'] }, 'bash', 'echo > src/a')).toBe('deny')
    expect(judge('allow', { deny: ['write:**'] }, 'bash', 'echo > /tmp/a')).toBe('deny')
    for (const rule of ['write:alias/**', 'write:src/**']) {
      expect(judge('allow', { deny: [rule] }, 'bash', 'echo > alias/a')).toBe('deny')
    }
    expect(judge('allow', { deny: ['read:src/**'] }, 'bash', 'cat < src/a')).toBe('deny')
    expect(judge('allow', { deny: ['read:src/**'] }, 'read', 'alias/a')).toBe('deny')
    expect(judge('allow', { deny: ['edit:src/out/**'] }, 'edit', 'src/out/a')).toBe('deny')
    expect(judge('allow', { deny: ['edit:*'] }, 'edit', '/etc/passwd')).toBe('deny')
  })
})

describe('an answer "always"', () => {
  const ask = () =>
    new Permissions({ mode: 'ask', allow: [], deny: ['bash:rm *'], root, home: undefined })
  const bash = (command: string) => ({ name: 'bash', input: { command } })

  it('allows the same command, and no other', () => {
    const permissions = ask()
    expect(permissions.judge(bash('printf *'))).toEqual({ kind: 'ask', rule: 'bash:printf *' })
    permissions.allowAlways(bash('printf *'))
    expect(permissions.judge(bash('printf *')).kind).toBe('allow')
    expect(permissions.judge(bash('printf x')).kind).toBe('ask')
    permissions.allowAlways(bash('rm x'))
    expect(permissions.judge(bash('rm x')).kind).toBe('deny')
  })

  it('allows edits of every file in the project', () => {
    const permissions = ask()
    const edit = (file: string) => ({ name: 'edit', input: { path: file } })
    expect(permissions.judge(edit('a'))).toEqual({ kind: 'ask', rule: 'edit:**' })
    permissions.allowAlways(edit('a'))
    expect(permissions.judge(edit('src/b')).kind).toBe('allow')
    expect(permissions.judge(edit('/etc/passwd')).kind).toBe('ask')
    expect(permissions.judge({ name: 'write', input: { path: 'a' } }).kind).toBe('ask')
  })
})

describe('the match of a hook', () => {
  const matches = (match: string | undefined, name: string, input: Record<string, unknown>) =>
    matchesHook(match, { name, input }, { root, home: undefined })

  it('names calls by tool, path or command', () => {
    expect(matches(undefined, 'bash', { command: 'a' })).toBe(true)
    expect(matches('edit:src/**', 'edit', { path: 'src/a' })).toBe(true)
    expect(matches('edit:src/**', 'edit', { path: 'a' })).toBe(false)
    expect(matches('write:*', 'write', { path: 'deep/a' })).toBe(true)
    expect(matches('bash:*', 'bash', { command: 'echo "' })).toBe(true)
    expect(matches('bash:git push*', 'bash', { command: 'a && git push' })).toBe(true)
    expect(matches('bash:git push*', 'bash', { command: 'git pull' })).toBe(false)
    expect(matches('edit', 'bash', { command: 'a' })).toBe(false)
  })
})

describe('patterns', () => {
  it('match commands with * for any characters', () => {
    expect(matchesCommand('a*b*c', 'axxbyyc')).toBe(true)
    expect(matchesCommand('a*b*c', 'axxbyycd')).toBe(false)
    expect(matchesCommand('a?', 'ab')).toBe(false)
    expect(matchesCommand('*', '')).toBe(true)
  })

  it('match paths name by name', () => {
    expect(matchesPath('src/**', 'src/a/b')).toBe(true)
    expect(matchesPath('src/**/b', 'src/b')).toBe(true)
    expect(matchesPath('src/*', 'src/a/b')).toBe(false)
    expect(matchesPath('src/', 'src/a')).toBe(true)
    expect(matchesPath('**/*.ts', 'a/b.ts')).toBe(true)
    expect(matchesPath('?.ts', 'a.ts')).toBe(true)
    expect(matchesPath('a', 'a/b')).toBe(false)
  })

  it('match hostile patterns in polynomial time', () => {
    expect(matchesCommand('*a'.repeat(500), 'a'.repeat(2000) + 'b')).toBe(false)
    expect(matchesPath('**/a/'.repeat(100), 'a/'.repeat(200) + 'b')).toBe(true)
  })
})
