import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Repository, resolveCommit } from '../git.ts'

const name = (digit: string): string => digit.repeat(40)
const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => name(digit)) as [
  ...[string, string, string, string, string, string],
]
const tree = name('7')
const blob = name('8')
const [tag, tagOfTag, tagOfTree] = ['1', '2', '3'].map((digit) => name(digit)) as [
  ...[string, string, string],
]
/** Names that start with 9999, of which one is a commit, and with 5555, of which two are. */
const alone = `9999${'1'.repeat(36)}`
const [first, second] = [`5555${'1'.repeat(36)}`, `5555${'2'.repeat(36)}`]

let root = ''
let repository: Repository

function put(file: string, content: string | Buffer): void {
  const full = path.join(root, '.git', file)
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, content)
}

function putObject(object: string, type: string, text: string): void {
  const data = deflateSync(Buffer.from(`${type} ${Buffer.byteLength(text)}\0${text}`))
  put(`objects/${object.slice(0, 2)}/${object.slice(2)}`, data)
}

function putCommit(object: string, time: number, parents: string[], message: string): void {
  const lines = parents.map((parent) => `parent ${parent}\n`).join('')
  const person = `A <a@b> ${time} +0000`
  putObject(
    object,
    'commit',
    `tree ${tree}\n${lines}author ${person}\ncommitter ${person}\n\n${message}\n`,
  )
}

/** A history: a <- b <- d, a <- c, and d and c are the parents of e. f is the root of another one. */
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'corpus-revision-')))
  putCommit(a, 1, [], 'first')
  putCommit(b, 2, [a], 'second word')
  putCommit(c, 3, [a], 'side')
  putCommit(d, 4, [b], 'third word')
  putCommit(e, 5, [d, c], 'merge')
  putCommit(f, 6, [], 'other')
  putObject(tree, 'tree', '')
  putObject(blob, 'blob', 'x')
  putObject(tag, 'tag', `object ${b}\ntype commit\n`)
  putObject(tagOfTag, 'tag', `object ${tag}\ntype tag\n`)
  putObject(tagOfTree, 'tag', `object ${tree}\ntype tree\n`)
  putCommit(alone, 1, [], 'alone')
  putObject(`9999${'2'.repeat(36)}`, 'blob', 'x')
  putCommit(first, 1, [], 'x')
  putCommit(second, 1, [], 'y')
  put('HEAD', 'ref: refs/heads/main\n')
  put('refs/heads/main', `${e}\n`)
  put('refs/heads/side', `${c}\n`)
  put('refs/heads/local', `${d}\n`)
  put('refs/heads/alone', `${d}\n`)
  put('refs/heads/half', `${d}\n`)
  put('refs/heads/gone', `${d}\n`)
  put('refs/remotes/origin/main', `${d}\n`)
  for (const [ref, object] of Object.entries({ tag, tagOfTag, tagOfTree, tree, blob })) {
    put(`refs/tags/${ref}`, `${object}\n`)
  }
  put('refs/tags/unborn', `${name('6')}\n`)
  const moves = [
    `${name('0')} ${a} A <a@b> 1 +0000\tcommit (initial): first`,
    `${a} ${b} A <a@b> 2 +0000\tcommit: second`,
    `${b} ${c} A <a@b> 3 +0000\tcheckout: moving from main to side`,
    `${c} ${d} A <a@b> 4 +0000\tcheckout: moving from side to ${d}`,
    `${d} ${e} A <a@b> 5 +0000\tcheckout: moving from ${d} to main`,
  ]
  put('logs/HEAD', `${moves.join('\n')}\n`)
  put('logs/refs/heads/main', `${a} ${b} A <a@b> 2 +0000\tx\n${b} ${e} A <a@b> 5 +0000\ty\n`)
  put('logs/refs/heads/side', `${name('0')} ${c} A <a@b> 3 +0000\tx\n`)
  put(
    'config',
    '[branch "main"]\nremote = origin\nmerge = refs/heads/main\n' +
      '[branch "local"]\nremote = .\nmerge = refs/heads/side\n' +
      '[branch "half"]\nremote = origin\n[branch "gone"]\nremote = origin\nmerge = refs/heads/no\n',
  )
  repository = new Repository(root)
})

afterAll(() => {
  repository.close()
  rmSync(root, { recursive: true })
})

test.each([
  ['HEAD', e],
  ['@', e],
  ['main', e],
  ['side', c],
  [a, a],
  [a.toUpperCase(), a],
  [a.slice(0, 4), a],
  ['AAAA', a],
  [a.slice(0, 39), a],
  ['9999', alone],
  ['v1.0-3-gaaaa', a],
  ['-g', undefined],
  ['x-gaaa', undefined],
  ['aaa', undefined],
  ['zzzz', undefined],
  ['6666', undefined],
  [name('6'), undefined],
  [`${a}a`, undefined],
  ['HEAD~', d],
  ['HEAD~0', e],
  ['HEAD~1', d],
  ['HEAD~2', b],
  ['HEAD~3', a],
  ['@~3', a],
  ['HEAD^', d],
  ['HEAD^0', e],
  ['HEAD^1', d],
  ['HEAD^2', c],
  ['HEAD^2~1', a],
  ['HEAD^^^', a],
  ['HEAD~1^{commit}~1', b],
  ['tag', b],
  ['tagOfTag', b],
  ['tag^{}', b],
  ['tagOfTag^{}', b],
  ['tag^{commit}', b],
  ['tag^{object}', b],
  ['tag^{tag}', b],
  ['tag~1', a],
  ['tag^0', b],
  ['HEAD^{/word}', d],
  ['HEAD~2^{/word}', b],
  ['tag^{/first}', a],
  ['HEAD^{/}', e],
  ['HEAD@{0}', e],
  ['HEAD@{1}', d],
  ['HEAD@{4}', a],
  ['@{0}', e],
  ['@{1}', b],
  ['@{2}', a],
  ['@@{1}', d],
  ['main@{1}', b],
  ['main@{2}', a],
  ['side@{0}', c],
  ['@{-1}', d],
  ['@{-2}', c],
  ['@{-3}', e],
  ['@{u}', d],
  ['@{upstream}', d],
  ['@{U}', d],
  ['HEAD@{u}', d],
  ['@@{u}', d],
  ['main@{upstream}', d],
  ['local@{u}', c],
  ['origin/main', d],
])('the revision %s is the commit %s', (revision, commit) => {
  const resolve = (): string => resolveCommit(repository, revision)
  if (commit !== undefined) expect(resolve()).toBe(commit)
  else {
    expect(resolve).toThrow(
      expect.objectContaining({ message: `unknown revision "${revision}"`, code: 'git' }) as Error,
    )
  }
})

test.each([
  ['', ''],
  ['-x', ''],
  ['a\0', ''],
  ['a..b', ': a range does not name one commit'],
  ['a...b', ': a range does not name one commit'],
  ['../x', ''],
  ['HEAD:a', ': pass a path as an argument of its own'],
  ['HEAD~4', ': ~4 leads to no commit'],
  ['HEAD^3', ': ^3 leads to no commit'],
  ['HEAD~1^2', ': ^2 leads to no commit'],
  ['HEAD^{tag}', ': ^{tag} leads to no commit'],
  ['HEAD^{tree}', ': ^{tree} leads to no commit'],
  ['HEAD^{/nothing}', ': ^{/nothing} leads to no commit'],
  ['tree^{/x}', ': ^{/x} leads to no commit'],
  ['tree~1', ': ~1 leads to no commit'],
  ['tree^1', ': ^1 leads to no commit'],
  ['tree', ': it is not a commit'],
  ['blob', ': it is not a commit'],
  ['tagOfTree', ': it is not a commit'],
  ['tagOfTree^{}', ': it is not a commit'],
  ['HEAD@{5}', ''],
  ['HEAD@{6}', ''],
  ['main@{3}', ''],
  ['side@{1}', ''],
  ['nothing@{0}', ''],
  ['@{-4}', ''],
  ['@{-0}', ': @{...} takes a number, -n or upstream, and no date'],
  ['main@{-1}', ': @{...} takes a number, -n or upstream, and no date'],
  ['@{yesterday}', ': @{...} takes a number, -n or upstream, and no date'],
  ['alone@{u}', ': the branch has no upstream here'],
  ['half@{u}', ': the branch has no upstream here'],
  ['gone@{u}', ': the branch has no upstream here'],
  ['nothing@{u}', ': the branch has no upstream here'],
])('the revision %j is unknown, with the reason %j', (revision, reason) => {
  expect(() => resolveCommit(repository, revision)).toThrow(
    expect.objectContaining({
      message: `unknown revision ${JSON.stringify(revision)}${reason}`,
      code: 'git',
    }) as Error,
  )
})

test('an ambiguous name is an error with the objects, and a long revision is cut', () => {
  expect(() => resolveCommit(repository, '5555')).toThrow(
    expect.objectContaining({
      message: `the revision 5555 is ambiguous: ${first}, ${second}`,
      code: 'git',
    }) as Error,
  )
  for (const [long, shown] of [
    ['z'.repeat(300), 'z'.repeat(200)],
    [`${'z'.repeat(300)}@{x}`, 'z'.repeat(200)],
  ] as const) {
    expect(() => resolveCommit(repository, long)).toThrow(`unknown revision "${shown}"`)
  }
})

test('commits are walked by date, each once', () => {
  const names = (...starts: string[]): string[] =>
    [...repository.byDate(starts)].map((commit) => commit.name)
  expect(names(e)).toEqual([e, d, c, b, a])
  expect(names(b, c, b)).toEqual([c, b, a])
  expect(names(f, a)).toEqual([f, a])
})

test('objects are peeled to a type, and paths are looked up below a tree', () => {
  expect(repository.nameDigits).toBe(40)
  expect(repository.peel(tagOfTag)).toBe(b)
  expect(repository.peel(tagOfTag, 'tag')).toBe(tagOfTag)
  expect(repository.peel(tagOfTree, 'tree')).toBe(tree)
  expect(repository.peel(tagOfTree, 'commit')).toBeUndefined()
  expect(repository.peel(blob)).toBe(blob)
  expect(repository.entryAt(tree, 'a/b')).toBeUndefined()
  expect(repository.blob(blob).toString()).toBe('x')
  expect(repository.isStale()).toBe(false)
})
