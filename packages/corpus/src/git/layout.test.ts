import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { put, tree } from '../../test/support/trees.ts'
import { findRepository, objectFolders, readText, ShallowCommits } from './layout.ts'
import { openRegularFile } from './regular-file.ts'
import { Refs, Replacements } from './refs/refs.ts'

const zero = '0'.repeat(40)
const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
]

/** A git folder without objects. */
function repository(files: Record<string, string> = {}): string {
  const root = tree({ '.git/HEAD': 'ref: refs/heads/main\n' })
  mkdirSync(path.join(root, '.git/objects'))
  mkdirSync(path.join(root, '.git/refs'))
  put(root, Object.fromEntries(Object.entries(files).map(([name, text]) => [`.git/${name}`, text])))
  return root
}

const problem = (message: string): Error =>
  expect.objectContaining({ message, code: 'git' }) as Error

test('a repository is found in a folder above, and a bare one by its own files', () => {
  const root = repository()
  mkdirSync(path.join(root, 'a/b'), { recursive: true })
  const found = { gitFolder: path.join(root, '.git'), commonFolder: path.join(root, '.git') }
  const rest = { topFolder: root, nameBytes: 20, isPartial: false, settings: new Map() }
  expect(findRepository(path.join(root, 'a/b'))).toEqual({ ...found, ...rest })
  expect(findRepository(path.join(root, '.git/refs'))).toEqual({
    ...found,
    ...rest,
    topFolder: undefined,
  })
  expect(() => findRepository(tree({ a: '' }))).toThrow(
    problem('the root is not in a git repository'),
  )
})

test.each(['HEAD', 'objects', 'refs'])('a folder .git without %s is no repository', (missing) => {
  const root = tree({})
  for (const name of ['objects', 'refs']) {
    if (name !== missing) mkdirSync(path.join(root, '.git', name), { recursive: true })
  }
  if (missing !== 'HEAD') writeFileSync(path.join(root, '.git/HEAD'), 'x')
  expect(() => findRepository(root)).toThrow(problem('the root is not in a git repository'))
})

test('a file .git names the git folder, and commondir the shared one', () => {
  const root = repository({ 'worktrees/w/HEAD': 'x', 'worktrees/w/commondir': '../..\n' })
  const linked = tree({ '.git': `gitdir: ${root}/.git/worktrees/w\n` })
  expect(findRepository(linked)).toMatchObject({
    gitFolder: path.join(root, '.git/worktrees/w'),
    commonFolder: path.join(root, '.git'),
    topFolder: linked,
  })
  const relative = tree({ '.git': 'gitdir: elsewhere\r\n', 'elsewhere/x': '' })
  expect(findRepository(relative).gitFolder).toBe(path.join(relative, 'elsewhere'))
  expect(() => findRepository(tree({ '.git': 'nothing' }))).toThrow(
    problem('the file .git names no git folder'),
  )
})

test.each([
  ['[core]\n\tbare = false\n', { 'core.bare': 'false' }],
  ['[Core]\nBare=TRUE\n', { 'core.bare': 'TRUE' }],
  [
    '[branch "Main"]\nremote = "origin"\nmerge\n',
    { 'branch.Main.remote': 'origin', 'branch.Main.merge': 'true' },
  ],
  ['[a "b\\"c\\\\d"]\nx-y = 1 2\n', { 'a.b"c\\d.x-y': '1 2' }],
  ['[ a ]\n# no\n; no\n1 = 2\nempty =\nk = v\n', { 'a.empty': '', 'a.k': 'v' }],
  ['k = v\n', { '.k': 'v' }],
])('the settings %j are read', (config, settings) => {
  expect(Object.fromEntries(findRepository(repository({ config })).settings)).toEqual(settings)
})

test('the format of objects and refs, and promises of a remote, come from the settings', () => {
  const open = (config: string) => findRepository(repository({ config }))
  expect(open('[extensions]\nobjectformat = SHA256\n').nameBytes).toBe(32)
  expect(open('[extensions]\nobjectformat = sha1\nrefstorage = Files\n').nameBytes).toBe(20)
  expect(() => open('[extensions]\nobjectformat = md5\n')).toThrow(
    problem('the repository has the unknown object format md5'),
  )
  expect(() => open('[extensions]\nrefstorage = reftable\n')).toThrow(
    problem('refs stored as reftable cannot be read, only as files'),
  )
  expect(open('[extensions]\npartialclone = origin\n').isPartial).toBe(true)
  expect(open('[remote "o"]\npromisor = true\n').isPartial).toBe(true)
  expect(open('[remote "o"]\npromisor = false\n').isPartial).toBe(false)
  expect(open('[other "o"]\npromisor = true\n').isPartial).toBe(false)
})

test('alternates and theirs are object folders, each once and at most 32', () => {
  const [a, b] = [tree({}), tree({})]
  const root = repository({ 'objects/info/alternates': `# no\n\n${a}\n${b}\n` })
  put(a, { 'info/alternates': `${b}\n../relative\n` })
  put(b, { 'info/alternates': `${a}\n` })
  const own = path.join(root, '.git/objects')
  const expected = [own, a, b, path.join(path.dirname(a), 'relative')]
  expect(objectFolders(findRepository(root))).toEqual(expected)
  const many = Array.from({ length: 40 }, (_, at) => `/none/${at}`)
  put(root, { '.git/objects/info/alternates': many.join('\n') })
  expect(objectFolders(findRepository(root))).toEqual([own, ...many.slice(0, 31)])
})

test('the commits of a shallow clone are read again after the file changed', () => {
  const root = repository()
  const shallow = new ShallowCommits(findRepository(root))
  expect(shallow.has(one)).toBe(false)
  put(root, { '.git/shallow': `${one}\n` })
  expect([one, two, ''].map((name) => shallow.has(name))).toEqual([true, false, false])
  put(root, { '.git/shallow': `${two}\n${three}\n` })
  expect([one, two, three].map((name) => shallow.has(name))).toEqual([false, true, true])
})

test('only regular files are opened', () => {
  const root = tree({ a: 'text', 'd/x': '' })
  expect(openRegularFile(path.join(root, 'a')).bytes).toBe(4)
  expect(() => openRegularFile(path.join(root, 'd'))).toThrow(problem('d is not a regular file'))
  expect([readText(path.join(root, 'a')), readText(path.join(root, 'd'))]).toEqual([
    'text',
    undefined,
  ])
})

const packed =
  `# pack-refs with: peeled\n${one} refs/heads/packed\n^${zero}\n${two} refs/tags/v1\n` +
  `${three} refs/remotes/origin/HEAD\n${one} refs/replace/${two}\nbroken\n`

function refsWith(files: Record<string, string>): { refs: Refs; root: string } {
  const root = repository(files)
  return { root, refs: new Refs(findRepository(root)) }
}

test('a short name is looked up in the places and in the order of git', () => {
  const { refs } = refsWith({
    'packed-refs': packed,
    'refs/heads/main': `${two}\n`,
    'refs/heads/both': `${two}\n`,
    'refs/tags/both': `${three}\n`,
    'refs/remotes/r/x': `${three}\n`,
    'refs/x': `${one}\n`,
    ORIG_HEAD: `${three}\n`,
    'refs/heads/link': 'ref: refs/heads/main\n',
    'refs/heads/bad': 'ref: ../../x\n',
    'refs/heads/odd': 'xyz\n',
    config: 'abc',
    'refs/heads/lost': 'ref: refs/heads/nothing\n',
  })
  const found = Object.fromEntries(
    [
      ...['HEAD', 'main', 'heads/main', 'refs/heads/main', 'packed', 'v1', 'both', 'r/x', 'x'],
      ...['ORIG_HEAD', 'origin', 'link', 'bad', 'odd', 'config', 'lost', 'nothing', 'refs/heads'],
    ].map((name) => [name, refs.find(name)]),
  )
  expect(found).toEqual({
    HEAD: { ref: 'refs/heads/main', object: two },
    main: { ref: 'refs/heads/main', object: two },
    'heads/main': { ref: 'refs/heads/main', object: two },
    'refs/heads/main': { ref: 'refs/heads/main', object: two },
    packed: { ref: 'refs/heads/packed', object: one },
    v1: { ref: 'refs/tags/v1', object: two },
    both: { ref: 'refs/tags/both', object: three },
    'r/x': { ref: 'refs/remotes/r/x', object: three },
    x: { ref: 'refs/x', object: one },
    ORIG_HEAD: { ref: 'ORIG_HEAD', object: three },
    origin: { ref: 'refs/remotes/origin/HEAD', object: three },
    link: { ref: 'refs/heads/main', object: two },
  })
})

test('a chain of links has at most five steps', () => {
  const files: Record<string, string> = { 'refs/heads/l0': `${one}\n` }
  for (let at = 1; at < 8; at++) files[`refs/heads/l${at}`] = `ref: refs/heads/l${at - 1}\n`
  const { refs } = refsWith(files)
  expect(refs.find('l5')?.object).toBe(one)
  expect(refs.find('l6')).toBeUndefined()
})

test.each([
  ...['a b', 'a..b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a\u007fb', 'a@{b', 'a//b'],
  ...['.a', 'a/.b', 'a.lock', 'a.lock/b', 'a.', 'a/'],
])('a name like %j is no ref, also if the file exists', (name) => {
  const { refs } = refsWith({ 'packed-refs': `${one} refs/heads/${name}\n` })
  expect(refs.find(`heads/${name}`)).toBeUndefined()
  expect(refs.find('heads')).toBeUndefined()
})

test('HEAD names a branch or is detached, and logs are lines', () => {
  const { refs, root } = refsWith({
    'logs/HEAD': 'a\nb\n',
    'logs/refs/heads/main': 'c\n\nd',
    'refs/bisect/x': `${one}\n`,
  })
  expect([refs.headBranch(), refs.log('HEAD'), refs.log('refs/heads/main'), refs.log('x')]).toEqual(
    ['refs/heads/main', ['a', 'b'], ['c', 'd'], []],
  )
  expect(refs.find('bisect/x')?.object).toBe(one)
  put(root, { '.git/HEAD': `${one}\n` })
  expect([refs.headBranch(), refs.read('HEAD')]).toEqual([undefined, { ref: 'HEAD', object: one }])
})

test('a linked work tree has its own HEAD and bisect refs, and shares the others', () => {
  const root = repository({
    'worktrees/w/HEAD': 'ref: refs/heads/side\n',
    'worktrees/w/commondir': '../..\n',
    'worktrees/w/refs/bisect/bad': `${three}\n`,
    'worktrees/w/refs/worktree/x': `${three}\n`,
    'worktrees/w/refs/rewritten/x': `${three}\n`,
    'worktrees/w/refs/heads/side': `${three}\n`,
    'refs/heads/side': `${two}\n`,
    'refs/bisect/bad': `${one}\n`,
  })
  const linked = tree({ '.git': `gitdir: ${root}/.git/worktrees/w\n` })
  const refs = new Refs(findRepository(linked))
  const names = ['HEAD', 'bisect/bad', 'worktree/x', 'rewritten/x', 'side']
  expect(names.map((name) => refs.find(name)?.object)).toEqual([two, three, three, three, two])
})

test('packed refs are read again after a change', () => {
  const { refs, root } = refsWith({ 'packed-refs': packed })
  expect(refs.find('packed')?.object).toBe(one)
  put(root, { '.git/packed-refs': `${three} refs/heads/packed\n` })
  expect(refs.find('packed')?.object).toBe(three)
})

test('objects and parents are replaced by refs and grafts, up to five steps', () => {
  const name = (digit: number): string => `${digit}`.repeat(40)
  const chain = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`refs/replace/${name(at)}`, `${name(at + 1)}\n`]),
  )
  const grafts = `${name(8)} ${name(9)} ${name(7)}\n# x\n${name(9)}\nno graft\n`
  const root = repository({ ...chain, 'info/grafts': grafts, 'packed-refs': packed })
  const read = (): Replacements => {
    const layout = findRepository(root)
    return new Replacements(layout, new Refs(layout))
  }
  const replacements = read()
  expect([0, 1, 5, 6, 7].map((at) => replacements.object(name(at)))).toEqual([
    ...[5, 6, 7, 7, 7].map(name),
  ])
  expect([8, 9, 7].map((at) => replacements.parents(name(at)))).toEqual([
    [name(9), name(7)],
    [],
    undefined,
  ])
  expect(read().stamp).toBe(replacements.stamp)
  put(root, { '.git/info/grafts': '' })
  expect(read().stamp).not.toBe(replacements.stamp)
  put(root, { '.git/config': '[core]\nuseReplaceRefs = False\n' })
  expect(read().object(name(0))).toBe(name(0))
  put(root, { '.git/config': '[core]\nuseReplaceRefs = true\n' })
  expect(read().object(name(6))).toBe(name(7))
})

test('replacements may be packed, and a link in their folder counts like a ref', () => {
  const { refs, root } = refsWith({ 'packed-refs': packed, 'refs/heads/main': `${three}\n` })
  mkdirSync(path.join(root, '.git/refs/replace'))
  symlinkSync('../heads/main', path.join(root, '.git/refs/replace', one))
  expect([...refs.replacements()]).toEqual([
    [two, one],
    [one, three],
  ])
})
