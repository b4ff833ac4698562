import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { changeTree, randomNumbers, randomRequest } from '../../../test/support/random-requests.ts'
import {
  writeSnapshot,
  newTree,
  openIndexed,
  openUnindexed,
  countRestoredFiles,
} from '../../../test/support/snapshot-trees.ts'
import type { SnapshotTree } from '../../../test/support/snapshot-trees.ts'
import type { Corpus, Metrics, UncheckedOperation } from '../../corpus.ts'

/** `npm test` runs a part of the rounds, `npm run test:long` all of them. */
const share = process.env.ZEE_ROUNDS === undefined ? 0.4 : 1

function write(root: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}

function someFiles(root: string, count = 40): void {
  for (let number = 0; number < count; number++) {
    write(root, `part${number % 5}/file${number}.txt`, `alpha ${number} word${number * 7}\n`)
  }
}

/** The result without the fields that depend on the index. */
async function answer(corpus: Corpus, op: 'grep' | 'list', args: object): Promise<object> {
  try {
    const { metrics, ...result } = await (corpus[op] as UncheckedOperation<{ metrics: Metrics }>)(
      args,
    )
    const { time_ms: _, fresh: __, ...rest } = metrics
    return { ...result, metrics: rest }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Compares the first result of a new index, which comes from the snapshot, with the disk. */
async function expectSame(tree: SnapshotTree, requests: readonly object[]): Promise<Corpus> {
  const [kept, plain] = [openIndexed(tree), openUnindexed(tree)]
  onTestFinished(() => kept.close())
  onTestFinished(() => plain.close())
  for (const args of requests) {
    expect(await answer(kept, 'grep', args)).toEqual(await answer(plain, 'grep', args))
  }
  return kept
}

describe('a snapshot', () => {
  it('restores unchanged files, and only its owner can read it', async () => {
    const tree = newTree()
    someFiles(tree.root)
    await writeSnapshot(tree)
    expect(statSync(tree.file).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(tree.file)).mode & 0o777).toBe(0o700)
    const kept = await expectSame(tree, [
      { pattern: 'word70' },
      { pattern: 'alpha', max_hits: 999 },
    ])
    expect(kept.indexStats()).toMatchObject({ state: 'ready', snapshot: { restored: 40 } })
    expect(kept.indexStats()?.answers).toBe(2)
  })

  it('is verified, so that later changes, additions, removals and renames are found', async () => {
    const tree = newTree()
    someFiles(tree.root)
    write(tree.root, 'same/size.txt', 'old text\n')
    const { atime, mtime } = statSync(path.join(tree.root, 'same/size.txt'))
    await writeSnapshot(tree)
    write(tree.root, 'same/size.txt', 'new text\n')
    utimesSync(path.join(tree.root, 'same/size.txt'), atime, mtime)
    write(tree.root, 'part1/file1.txt', 'beta instead\n')
    write(tree.root, 'fresh/deep/file.txt', 'beta anew\n')
    rmSync(path.join(tree.root, 'part2/file2.txt'))
    renameSync(path.join(tree.root, 'part3'), path.join(tree.root, 'moved'))
    symlinkSync('part4/file4.txt', path.join(tree.root, 'link'))
    const all = { max_hits: 999 }
    await expectSame(tree, [
      { pattern: 'new text', ...all },
      { pattern: 'old text', ...all },
      { pattern: 'beta', ...all },
      { pattern: 'alpha', ...all },
      { pattern: 'file', paths: ['moved'], ...all },
    ])
  })

  it('gives the same results as the disk after random changes between two indexes', async () => {
    const seed = Date.now() % 1_000_000
    const random = randomNumbers(seed)
    const tree = newTree()
    for (let count = 0; count < 60; count++) changeTree(tree.root, random)
    let restored = 0
    for (let round = 0; round < 15 * share; round++) {
      for (let count = random(6); count > 0; count--) changeTree(tree.root, random)
      const [kept, plain] = [openIndexed(tree), openUnindexed(tree)]
      for (let count = 0; count < 6; count++) {
        const { op, args } = randomRequest(random)
        if (op !== 'grep' && op !== 'list') continue
        const where = `seed ${seed} round ${round}`
        const [got, wanted] = [await answer(kept, op, args), await answer(plain, op, args)]
        expect({ where, ...got }).toEqual({ where, ...wanted })
        if (random(3) === 0) changeTree(tree.root, random)
      }
      await kept.buildIndex()
      await answer(kept, 'grep', { pattern: 'alpha' })
      restored += kept.indexStats()?.snapshot?.restored ?? 0
      await Promise.all([kept.close(), plain.close()])
    }
    expect(restored).toBeGreaterThan(50 * share)
  }, 120_000)

  it('is followed by watching the tree and caching contents', async () => {
    const tree = newTree()
    someFiles(tree.root)
    await writeSnapshot(tree)
    const kept = await expectSame(tree, [{ pattern: 'word70' }])
    await vi.waitUntil(
      () => {
        const { fresh, content_bytes: bytes } = kept.indexStats() ?? {}
        return fresh === 'watch' && (bytes ?? 0) > 0
      },
      { timeout: 30_000 },
    )
    expect(kept.indexStats()?.folders_watched).toBe(6)
    const plain = openUnindexed(tree)
    const random = randomNumbers(Date.now() % 1_000_000)
    for (let round = 0; round < 100 * share; round++) {
      changeTree(tree.root, random)
      const args = { pattern: 'alpha', max_hits: 10_000 }
      expect(await answer(kept, 'grep', args)).toEqual(await answer(plain, 'grep', args))
    }
    await plain.close()
    expect(kept.indexStats()?.answers).toBeGreaterThan(80 * share)
  }, 60_000)

  it('handles names that are not valid UTF-8, deep trees and long chains of folders', async () => {
    const tree = newTree()
    someFiles(tree.root, 5)
    const odd = Buffer.concat([Buffer.from(`${tree.root}/odd`), Buffer.from([0xff, 0xfe])])
    mkdirSync(odd)
    writeFileSync(Buffer.concat([odd, Buffer.from('/in.txt')]), 'alpha in an odd folder\n')
    const name = Buffer.from([0x2f, 0x80, 0x0a, 0x5c])
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/part1`), name]), 'alpha, odd\n')
    write(tree.root, `${'deep/'.repeat(100)}file.txt`, 'alpha at the bottom\n')
    write(tree.root, `${'deep/'.repeat(40)}emoji \u{1f600}/file.txt`, 'alpha smiles\n')
    const all = { pattern: 'alpha', max_hits: 999 }
    await writeSnapshot(tree)
    const kept = await expectSame(tree, [all])
    expect((await kept.grep(all)).hits).toHaveLength(9)
    expect(kept.indexStats()?.snapshot?.restored).toBeGreaterThanOrEqual(6)
    await kept.close()
    await expectSame(tree, [all])
  })

  it('is valid only for the same omitted files', async () => {
    const tree = newTree()
    someFiles(tree.root, 12)
    const log = path.join(tree.root, 'part1/file1.txt')
    await writeSnapshot({ ...tree, omit: [log] })
    expect(await countRestoredFiles({ ...tree, omit: [log] })).toBe(11)
    await expectSame(tree, [{ pattern: 'alpha', max_hits: 999 }])
  })

  it('does not restore a file that was modified just before it was read', async () => {
    const tree = newTree()
    someFiles(tree.root, 10)
    // The clock stands still.
    const clock = { ...systemClock, now: () => new Date(0) }
    await writeSnapshot(tree, { ...clock, monotonicMs: () => systemClock.monotonicMs() })
    expect(await countRestoredFiles(tree)).toBe(0)
  })

  it('is ignored if any bit is flipped', async () => {
    const tree = newTree()
    someFiles(tree.root, 12)
    await writeSnapshot(tree)
    const bytes = readFileSync(tree.file)
    expect(await countRestoredFiles(tree)).toBe(12)
    const place = fc.oneof(
      fc.nat(63),
      fc.nat(4095),
      fc.nat(bytes.length - 1),
      fc.integer({ min: 4096, max: Math.min(bytes.length - 1, 12_000) }),
    )
    await fc.assert(
      fc.asyncProperty(place, fc.nat(7), async (at, bit) => {
        const broken = Buffer.from(bytes)
        broken[at] = (broken[at] as number) ^ (1 << bit)
        writeFileSync(tree.file, broken, { mode: 0o600 })
        await expectAnswersWithout(tree)
      }),
      { numRuns: Math.ceil(20 * share) },
    )
  }, 120_000)

  it('is ignored if it is truncated, too long, empty, of another version or not a file', async () => {
    const tree = newTree()
    someFiles(tree.root, 12)
    await writeSnapshot(tree)
    const bytes = readFileSync(tree.file)
    const cuts = [0, 1, 63, 64, 4095, 4096, 4097, bytes.length >> 1, bytes.length - 1]
    const forms = [...cuts.map((cut) => bytes.subarray(0, cut)), Buffer.concat([bytes, bytes])]
    for (const form of forms) {
      writeFileSync(tree.file, form, { mode: 0o600 })
      await expectAnswersWithout(tree)
    }
    rmSync(tree.file)
    mkdirSync(tree.file)
    await expectAnswersWithout(tree)
  }, 60_000)

  it('is ignored if other users can write it, or if it is of another root', async () => {
    const [tree, other] = [newTree(), newTree()]
    someFiles(tree.root, 12)
    someFiles(other.root, 12)
    await writeSnapshot(tree)
    expect(await countRestoredFiles({ ...other, file: tree.file })).toBe(0)
    await writeSnapshot(tree)
    expect(await countRestoredFiles(tree)).toBe(12)
    chmodSync(tree.file, 0o666)
    expect(await countRestoredFiles(tree)).toBe(0)
  })

  it('is not rewritten while nothing changes', async () => {
    const tree = newTree()
    someFiles(tree.root, 12)
    await writeSnapshot(tree)
    const { ino } = statSync(tree.file)
    expect(await countRestoredFiles(tree)).toBe(12)
    expect(statSync(tree.file).ino).toBe(ino)
    write(tree.root, 'another.txt', 'alpha\n')
    await writeSnapshot(tree)
    expect(statSync(tree.file).ino).not.toBe(ino)
    await expectSame(tree, [{ pattern: 'alpha', max_hits: 999 }])
  })

  it('restores the neighbours of a new file, even if all were created within one clock tick', async () => {
    const tree = newTree()
    // Then ctime and birth time of a folder are equal until an entry is added or removed.
    let tries = 0
    do {
      rmSync(tree.root, { recursive: true })
      mkdirSync(tree.root)
      someFiles(tree.root, 12)
    } while (!isAsMade(tree.root) && ++tries < 200)
    await writeSnapshot(tree)
    write(tree.root, 'another.txt', 'alpha\n')
    expect(await countRestoredFiles(tree)).toBe(12)
    expect(await countRestoredFiles(tree)).toBe(13)
  }, 60_000)

  it('is verified for the next request when the first one is cancelled', async () => {
    const tree = newTree()
    // More folders than one verification step, and more files than are read inline.
    for (let number = 100; number < 200; number++) write(tree.root, `${number}/a.txt`, 'alpha\n')
    await writeSnapshot(tree)
    for (const before of ['list', 'grep'] as const) {
      write(tree.root, '199/a.txt', `beta before ${before}\n`)
      const [kept, leaving] = [openIndexed(tree), new AbortController()]
      onTestFinished(() => kept.close())
      // The second list starts an index, which is not verified yet.
      if (before === 'list') for (const _ of [1, 2]) await kept.list({})
      const { signal } = leaving
      const left = kept
        .grep({ pattern: 'alpha' }, { signal })
        .catch((error: Error) => error.message)
      leaving.abort()
      await left
      const { hits } = await kept.grep({ pattern: `beta before ${before}` })
      expect(hits).toHaveLength(1)
      await kept.close()
    }
  }, 60_000)

  it('that cannot be written does not affect the index', async () => {
    const tree = newTree()
    someFiles(tree.root, 12)
    writeFileSync(path.dirname(path.dirname(tree.file)), 'no folder')
    await writeSnapshot(tree)
    expect(await countRestoredFiles(tree)).toBe(0)
  })
})

function isAsMade(folder: string): boolean {
  const { birthtimeNs, ctimeNs } = statSync(folder, { bigint: true })
  return birthtimeNs === ctimeNs
}

/** Expects the first result to be correct and to come from the disk. */
async function expectAnswersWithout(tree: SnapshotTree): Promise<void> {
  const corpus = openIndexed(tree)
  const { hits } = await corpus.grep({ pattern: 'alpha', max_hits: 999 })
  expect(hits).toHaveLength(12)
  expect(corpus.indexStats()?.snapshot?.restored ?? 0).toBe(0)
  await corpus.close()
}
