import { expect, test } from 'vitest'
import { repositoryAt } from '../../test/support/repositories.ts'
import type { TestRepository } from '../../test/support/repositories.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'

/** A small generator, so that a failure can be repeated. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

/** Edits, moves, deletes and merges files at random. */
function randomHistory(seed: number): TestRepository & { files: string[] } {
  const repository = repositoryAt(tree({}))
  const pick = random(seed)
  const words = ['alpha', 'beta', '', '  indent', '}', 'needle', 'gamma delta']
  const contents = new Map<string, string[]>()
  const line = (): string => words[pick(words.length)] as string
  for (let step = 0; step < 25; step++) {
    const names = [...contents.keys()]
    const old = names[pick(Math.max(1, names.length))]
    const changes: Record<string, string | undefined> = {}
    const write = (name: string, lines: string[]): void => {
      contents.set(name, lines)
      changes[name] = lines.map((each) => `${each}\n`).join('')
    }
    if (old === undefined || pick(6) === 0) {
      write(`d${pick(3)}/f${step}.txt`, Array.from({ length: 20 + pick(30) }, line))
    } else {
      const lines = [...(contents.get(old) ?? [])]
      for (let edit = 0; edit < 1 + pick(4); edit++) {
        lines.splice(pick(lines.length + 1), pick(3), ...Array.from({ length: pick(4) }, line))
      }
      const isMove = pick(7) === 0
      if (isMove) {
        contents.delete(old)
        changes[old] = undefined
      }
      write(isMove ? `moved/g${step}.txt` : old, lines)
    }
    repository.commit(`step ${step}\n\nbody`, changes)
    if (step % 13 !== 12) continue
    const [, , side] = repository.git('rev-list', 'HEAD').split('\n')
    repository.git('checkout', '-q', '-b', `side${step}`, side as string)
    repository.commit(`side ${step}`, { [`side${step}.txt`]: 'needle\nside\n' })
    repository.git('checkout', '-q', 'main')
    repository.git('merge', '-q', '--no-ff', '-m', `merge ${step}`, `side${step}`)
  }
  return { ...repository, files: [...contents.keys()] }
}

test.each([1, 2])(
  'blame and log equal those of git on the random history %i',
  async (seed) => {
    const repository = randomHistory(seed)
    await compareBlame(repository)
    await compareLog(repository)
  },
  60_000,
)

type RandomHistory = ReturnType<typeof randomHistory>

async function compareBlame({ root, git, files }: RandomHistory): Promise<void> {
  const corpus = corpusOf(root)
  for (const file of files) {
    const found: Record<string, string> = {}
    for (const row of (await corpus.blame({ path: file, rev: 'HEAD' })).lines) {
      for (let line = row.start_line; line <= row.end_line; line++) {
        found[line] = `${row.commit} ${row.original_line + line - row.start_line}`
      }
    }
    const porcelain = git('blame', '--line-porcelain', 'HEAD', '--', file)
    const expected = [...porcelain.matchAll(/^([0-9a-f]{40}) (\d+) (\d+)/gm)]
    const rows = expected.map(([, commit, from, line]) => [line, `${commit} ${from}`])
    expect(found, file).toEqual(Object.fromEntries(rows))
  }
}

async function compareLog({ root, git, files }: RandomHistory): Promise<void> {
  const corpus = corpusOf(root)
  const logOf = (...args: string[]): string[] =>
    git('log', '--format=%H', ...args)
      .split('\n')
      .filter((line) => line !== '')
  const found = async (args: { path?: string; pattern?: string }): Promise<string[]> =>
    (await corpus.log({ ...args, max: 1000 })).commits.map(({ commit }) => commit)
  for (const file of [...files, 'd0', 'moved']) {
    expect(await found({ path: file }), file).toEqual(logOf('--', file))
  }
  for (const pattern of ['needle', 'gamma delta', 'side', 'beta\n}']) {
    expect(await found({ pattern }), pattern).toEqual(logOf(`-S${pattern}`))
    expect(await found({ pattern, path: 'd1' })).toEqual(logOf(`-S${pattern}`, '--', 'd1'))
  }
}

test('a log row has the commit, the author, the time in UTC and the subject', async () => {
  const { root, commit } = repositoryAt(tree({}))
  const name = commit('add a file\nwith two lines of subject\n\nbody', { 'a.txt': '1\n' })
  const { commits, truncated } = await corpusOf(root).log({ path: 'a.txt' })
  expect(truncated).toBe(false)
  expect(commits).toEqual([
    {
      commit: name,
      author: 'Ann',
      email: 'ann@example.com',
      time: '2023-11-14T22:14:20Z',
      subject: 'add a file with two lines of subject',
    },
  ])
})

test('the pages of a blame are together the whole blame', async () => {
  const { root, commit } = repositoryAt(tree({}))
  for (const text of ['a\n', 'a\nb\n', 'a\nb\nc\n']) commit(text.trim(), { 'a.txt': text })
  const corpus = corpusOf(root)
  const rows: unknown[] = []
  for (let cursor: string | undefined, page = 1; page <= 3; page++) {
    const { lines, next_cursor: next } = await corpus.blame({ path: 'a.txt', max_chars: 1, cursor })
    expect([lines.length, next === undefined]).toEqual([1, page === 3])
    rows.push(...lines)
    cursor = next
  }
  expect(rows).toEqual((await corpus.blame({ path: 'a.txt' })).lines)
})

test('blame without a revision marks lines that are not committed', async () => {
  const { root, commit } = repositoryAt(tree({}))
  const name = commit('first', { 'a.txt': 'one\ntwo\nthree\n' })
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  writeFileSync(`${root}/a.txt`, 'one\nTWO\nthree\n')
  const corpus = corpusOf(root)
  // Clients may send numbers as text.
  const some = ['2', '2'] as unknown as number[]
  expect((await corpus.blame({ path: 'a.txt', lines: some })).lines).toHaveLength(1)
  const { lines } = await corpus.blame({ path: 'a.txt' })
  expect(lines.map((row) => [row.start_line, row.commit])).toEqual([
    [1, name],
    [2, '0'.repeat(40)],
    [3, name],
  ])
})

test('a link is blamed like in git, with and without a revision, and not its target', async () => {
  const { root, git, commit } = repositoryAt(tree({}))
  const { rmSync, symlinkSync } = process.getBuiltinModule('node:fs')
  const link = (name: string, target: string): void => {
    rmSync(`${root}/${name}`, { force: true })
    symlinkSync(target, `${root}/${name}`)
  }
  commit('a file', { 'a.txt': 'one\ntwo\n', was: 'a.txt' })
  link('l', 'a.txt')
  commit('a link', {})
  link('was', 'a.txt')
  link('l', 'gone')
  commit('a file becomes a link, and a link another', {})
  git('mv', 'l', 'moved')
  commit('move a link', {})
  const corpus = corpusOf(root)
  const blamed = async (args: { path: string; rev?: string }): Promise<string[]> =>
    (await corpus.blame(args)).lines.map((row) => `${row.commit} ${row.end_line}`)
  for (const path of ['moved', 'was']) {
    const [commitName] = git('blame', '-s', '-l', '--root', 'HEAD', '--', path).split(' ')
    expect(await blamed({ path, rev: 'HEAD' }), path).toEqual([`${commitName} 1`])
    expect(await blamed({ path }), path).toEqual([`${commitName} 1`])
  }
  link('moved', 'elsewhere')
  expect(await blamed({ path: 'moved' })).toEqual([`${'0'.repeat(40)} 1`])
  const denying = corpusOf(root, { deny: { globs: ['mov*'], secrets: false } })
  await expect(denying.blame({ path: 'moved', rev: 'HEAD' })).rejects.toThrow('denied by rule')
})

test('replaced objects and grafts change the history as in git, also of an open corpus', async () => {
  const { root, git, commit } = repositoryAt(tree({}))
  const [one, two] = [commit('one', { a: '1\n' }), commit('two', { a: '1\n2\n' })]
  const three = commit('three', { a: '1\n2\n3\n', b: 'x\n' })
  const corpus = corpusOf(root)
  const check = async (): Promise<void> => {
    const log = (await corpus.log({ path: 'a' })).commits.map((row) => row.commit)
    expect(log.join('\n')).toBe(git('log', '--format=%H', '--', 'a').trim())
    const { lines } = await corpus.blame({ path: 'a', rev: 'HEAD' })
    const last = git('blame', '-s', '-l', '--root', 'HEAD', '--', 'a').trim().split('\n').at(-1)
    expect(lines.at(-1)?.commit).toBe(last?.slice(0, 40))
    const read = await corpus.read({ path: 'a', rev: 'HEAD', end_line: 9 })
    expect(`${read.text}\n`).toBe(git('show', 'HEAD:a'))
  }
  await check()
  git('replace', '--graft', three, one)
  await check()
  git('pack-refs', '--all')
  await check()
  git('config', 'core.useReplaceRefs', 'false')
  expect((await corpusOf(root).log({ path: 'a' })).commits).toHaveLength(3)
  git('config', 'core.useReplaceRefs', 'true')
  git('replace', '-d', three)
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  writeFileSync(`${root}/.git/info/grafts`, `${three} ${one}\n${two}\n`)
  await check()
  writeFileSync(`${root}/.git/info/grafts`, '')
  git('replace', git('rev-parse', 'HEAD:a').trim(), git('rev-parse', 'HEAD:b').trim())
  await check()
})

test('a search for a text does not read denied files', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('oops', { '.env': 'SECRET=1\n', 'a.txt': 'x\n' })
  const corpus = corpusOf(root, { deny: { globs: [], secrets: true } })
  expect((await corpus.log({ pattern: 'SECRET' })).commits).toEqual([])
})

test('submodules have a history like that of git, and no files', async () => {
  const { root, git, commit } = repositoryAt(tree({}))
  const [first, second] = [commit('one', { 'a.txt': 'a\n' }), commit('two', { 'a.txt': 'b\n' })]
  for (const name of [first, second]) {
    git('update-index', '--add', '--cacheinfo', `160000,${name},sub`)
    git('commit', '-qm', `sub at ${name}`)
  }
  const corpus = corpusOf(root)
  const logOf = async (args: object): Promise<string[]> =>
    (await corpus.log({ rev: 'HEAD', ...args })).commits.map((each) => each.commit)
  const gitLog = (...args: string[]): string[] =>
    git('log', '--format=%H', ...args)
      .split('\n')
      .slice(0, -1)
  expect(gitLog('--', 'sub')).toHaveLength(2)
  expect(await logOf({ path: 'sub' })).toEqual(gitLog('--', 'sub'))
  expect(await logOf({ pattern: second })).toEqual(gitLog(`-S${second}`))
  expect((await corpus.list({ rev: 'HEAD' })).files).toEqual(['a.txt'])
  expect((await corpus.grep({ rev: 'HEAD', pattern: 'Subproject' })).hits).toEqual([])
  expect((await corpus.grep({ rev: 'HEAD', pattern: 'b' })).hits).toHaveLength(1)
  await expect(corpus.read({ rev: 'HEAD', path: 'sub' })).rejects.toThrow('Is a directory')
  await expect(corpus.read({ rev: 'HEAD', path: 'sub/a.txt' })).rejects.toThrow('No such file')
})
