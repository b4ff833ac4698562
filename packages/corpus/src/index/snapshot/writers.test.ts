// Snapshots with concurrent writers: killed writers, several at once, and files that change during verification.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../../test/support/paths.ts'
import {
  writeSnapshot,
  newTree,
  openIndexed,
  openUnindexed,
  countRestoredFiles,
} from '../../../test/support/snapshot-trees.ts'
import type { SnapshotTree } from '../../../test/support/snapshot-trees.ts'
import { randomNumbers } from '../../../test/support/random-requests.ts'
import { snapshotHeader } from './read-header.ts'

const files = 300

/** `npm run test:long` runs all rounds. */
const share = process.env.ZEE_ROUNDS === undefined ? 0.5 : 1

function treeOfFiles(): SnapshotTree {
  const tree = newTree()
  for (let number = 0; number < files; number++) {
    const text = `alpha ${number}\n${'some words in a row\n'.repeat(number)}`
    writeFileSync(path.join(tree.root, `file${number}.txt`), text)
  }
  return tree
}

function startWriter({ root, file }: SnapshotTree): ChildProcess {
  const args = [childProgram('corpus', 'write-snapshots'), root, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Expects the first result to equal that of the disk. Returns the number of restored files. */
async function expectRight(tree: SnapshotTree): Promise<number> {
  const [kept, plain] = [openIndexed(tree), openUnindexed(tree)]
  const ask = { pattern: 'alpha', max_hits: 10_000 }
  expect((await kept.grep(ask)).hits).toEqual((await plain.grep(ask)).hits)
  const restored = kept.indexStats()?.snapshot?.restored ?? 0
  await Promise.all([kept.close(), plain.close()])
  return restored
}

describe('a snapshot during a write', () => {
  it('is complete when its writer is killed at any instant', async () => {
    const tree = treeOfFiles()
    const random = randomNumbers(Date.now() % 1_000_000)
    let used = 0
    const rounds = 6 * share
    for (let round = 0; round < rounds; round++) {
      const child = startWriter(tree)
      await once(child.stdout as NodeJS.ReadableStream, 'data')
      await new Promise((resolve) => setTimeout(resolve, random(80)))
      await kill(child)
      expect(snapshotHeader(tree.file)?.root).toBe(tree.root)
      if ((await expectRight(tree)) > 0) used++
    }
    expect(used).toBe(rounds)
    // Later writers remove the temporary files of killed ones.
    await writeSnapshot(tree)
    writeFileSync(path.join(tree.root, 'last.txt'), 'alpha\n')
    await writeSnapshot(tree)
    const left = readdirSync(path.dirname(tree.file))
    expect(left).toEqual([path.basename(tree.file)])
  }, 120_000)

  it('is that of one writer when two write concurrently', async () => {
    const tree = treeOfFiles()
    const children = [startWriter(tree), startWriter(tree)]
    await Promise.all(children.map((child) => once(child.stdout as NodeJS.ReadableStream, 'data')))
    for (let round = 0; round < 8 * share; round++) {
      expect(snapshotHeader(tree.file)?.root).toBe(tree.root)
      await expectRight(tree)
    }
    await Promise.all(children.map(kill))
    expect(await countRestoredFiles(tree)).toBeGreaterThanOrEqual(files)
  }, 120_000)

  it('does not hide changes during its verification', async () => {
    const tree = treeOfFiles()
    await writeSnapshot(tree)
    for (let round = 0; round < 5 * share; round++) {
      const [kept, plain] = [openIndexed(tree), openUnindexed(tree)]
      const first = kept.grep({ pattern: 'nothing like it' })
      for (let number = 0; number < 40; number++) {
        const file = path.join(tree.root, `file${(round * 40 + number) % files}.txt`)
        writeFileSync(file, `beta${round} ${number}\n`)
        if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      const ask = { pattern: `beta${round}`, max_hits: 10_000 }
      const [now, wanted] = await Promise.all([kept.grep(ask), plain.grep(ask)])
      expect(now.hits).toEqual(wanted.hits)
      expect(now.hits).toHaveLength(40)
      await first
      await Promise.all([kept.close(), plain.close()])
    }
  }, 120_000)
})
