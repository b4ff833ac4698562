import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { corpusOf, tree } from '../../../test/support/trees.ts'
import type { Corpus, GrepArgs } from '../../corpus.ts'
import type { IndexOptions } from '../../index/options.ts'

const index: IndexOptions = { memoryBytes: 64 << 20, threads: 1, maxStartMs: 60_000 }

const files = {
  'a.txt': 'one\n',
  'b.txt': '',
  'sub/c.txt': '\u00e4 two\n',
  'sub/deep/d.txt': 'three'.repeat(1000),
  'large.txt': 'x'.repeat(2_100_000),
  '.hidden/e.txt': 'four',
  'node_modules/f.txt': 'five',
}

interface Pair {
  root: string
  indexed: Corpus
  disk: Corpus
}

async function pairOf(contents: Record<string, string> = files): Promise<Pair> {
  const root = tree(contents)
  const indexed = corpusOf(root, { index })
  await indexed.buildIndex()
  return { root, indexed, disk: corpusOf(root) }
}

const certificateOf = async (corpus: Corpus, args: Partial<GrepArgs>) =>
  (await corpus.grep({ pattern: 'absent', certify: true, ...args })).certificate

/** The certificate of the index, twice, which must be that of the disk. */
async function sameCertificate({ indexed, disk }: Pair, args: Partial<GrepArgs> = {}) {
  const expected = await certificateOf(disk, args)
  const answered = indexed.indexStats()?.answers ?? 0
  expect(await certificateOf(indexed, args)).toEqual(expected)
  expect(await certificateOf(indexed, args)).toEqual(expected)
  expect(indexed.indexStats()?.answers).toBeGreaterThan(answered)
  return expected
}

test('a certificate counts the files and the bytes that it covers, and what it leaves out', async () => {
  const pair = await pairOf()
  expect(await sameCertificate(pair)).toMatchObject({
    files: 4,
    bytes: 4 + 0 + 7 + 5000,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test.each<[string, Partial<GrepArgs>, number, number]>([
  ['with max_bytes 5000', { max_bytes: 5000 }, 4, 5011],
  ['with max_bytes 4999', { max_bytes: 4999 }, 3, 11],
  ['with max_bytes 2100000', { max_bytes: 2_100_000 }, 5, 2_105_011],
  ['with max_bytes 2099999', { max_bytes: 2_099_999 }, 4, 5011],
  ['with max_files 2', { max_files: 2 }, 2, 4],
  ['of some paths', { paths: ['sub'] }, 2, 5007],
  ['with hidden files', { include_hidden: true }, 5, 5015],
  ['without excluded files', { exclude_globs: '**/*d.txt' }, 3, 11],
])('the index certifies the files that the disk does, %s', async (_, args, count, bytes) => {
  const pair = await pairOf()
  expect(await sameCertificate(pair, args)).toMatchObject({ files: count, bytes })
  // The selection is cached; other limits must not reuse its certificate.
  expect(await sameCertificate(pair, { ...args, max_bytes: 6 })).toMatchObject({
    args: { max_bytes: 6 },
  })
  expect(await sameCertificate(pair, { ...args, max_files: 1 })).toMatchObject({
    args: { max_files: 1 },
  })
})

test('the root of a certificate follows each change of a file, of a name and of the order', async () => {
  const pair = await pairOf()
  const roots = new Set<string | undefined>()
  const addRoot = async (): Promise<void> => {
    roots.add((await sameCertificate(pair))?.root)
  }
  await addRoot()
  writeFileSync(path.join(pair.root, 'a.txt'), 'two\n')
  await addRoot()
  writeFileSync(path.join(pair.root, 'aa.txt'), 'two\n')
  await addRoot()
  rmSync(path.join(pair.root, 'a.txt'))
  await addRoot()
  rmSync(path.join(pair.root, 'sub/deep'), { recursive: true })
  await addRoot()
  expect(roots.size).toBe(5)
  writeFileSync(path.join(pair.root, 'a.txt'), 'two\n')
  rmSync(path.join(pair.root, 'aa.txt'))
  const again = await sameCertificate(pair)
  expect(roots.has(again?.root)).toBe(false)
})

test('links are certified under their own names, by what they lead to', async () => {
  const pair = await pairOf({ 'a/target.txt': 'text' })
  const { root } = pair
  const before = await sameCertificate(pair)
  symlinkSync('a/target.txt', path.join(root, 'link.txt'))
  symlinkSync('missing.txt', path.join(root, 'broken.txt'))
  symlinkSync('/etc/hostname', path.join(root, 'outside.txt'))
  linkSync(path.join(root, 'a/target.txt'), path.join(root, 'hard.txt'))
  const linked = await sameCertificate(pair)
  expect(before).toMatchObject({ files: 1, bytes: 4 })
  expect(linked).toMatchObject({ files: 3, bytes: 12 })
  writeFileSync(path.join(root, 'missing.txt'), 'now')
  expect(await sameCertificate(pair)).toMatchObject({ files: 5, bytes: 18 })
})

test('a certificate leaves out a cursor and the limit of an answer from its arguments', async () => {
  const { disk } = await pairOf({ 'a.txt': 'x' })
  const certificate = await certificateOf(disk, { max_answer: 100_000, max_hits: 5 })
  expect(certificate?.args).toEqual({ pattern: 'absent', certify: true, max_hits: 5 })
})

test('the certificate of a further page is that of the first one', async () => {
  const { disk } = await pairOf({ 'a.txt': 'x\nx\n', 'b.txt': 'x\n' })
  const args = { pattern: 'x', certify: true, max_chars: 30 }
  const first = await disk.grep(args)
  expect(first.next_cursor).toBeDefined()
  const second = await disk.grep({ ...args, cursor: first.next_cursor })
  expect(second.certificate).toEqual(first.certificate)
  expect(second.certificate?.args).toEqual(args)
})

test('a thousand new files are certified by an index that was built for one', async () => {
  const pair = await pairOf({ 'a.txt': 'x' })
  await sameCertificate(pair)
  for (let at = 0; at < 1100; at++) writeFileSync(path.join(pair.root, `f${at}.txt`), `${at}`)
  expect(await sameCertificate(pair)).toMatchObject({ files: 1101 })
})
