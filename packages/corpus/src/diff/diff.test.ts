import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { longPairs, textPairs } from '../../test/support/diff-texts.ts'
import type { TextPair } from '../../test/support/diff-texts.ts'
import { put, tree } from '../../test/support/trees.ts'
import { diffLines } from './diff.ts'
import type { Hunk } from './diff.ts'

/** Hunks by file, from one run of git over two folders. */
function gitHunks(folder: string): Map<string, Hunk[]> {
  const args = ['diff', '--no-index', '-U0', '--no-renames', '--text', 'before', 'after']
  let text = ''
  try {
    execFileSync('git', args, { cwd: folder, maxBuffer: 1 << 28, stdio: 'pipe' })
  } catch (error) {
    // It exits with 1 if there are differences.
    text = String((error as { stdout: Buffer }).stdout)
  }
  const found = new Map<string, Hunk[]>()
  let hunks: Hunk[] = []
  for (const line of text.split('\n')) {
    const [, file] = /^diff --git a\/before\/(\S+) /.exec(line) ?? []
    if (file !== undefined) found.set(file, (hunks = []))
    const [, ...numbers] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (numbers.length === 0) continue
    const [oldLine = 0, oldCount = 1, newLine = 0, newCount = 1] = numbers.map((each) =>
      // The type of a group that did not match is wrong.
      (each as string | undefined) === undefined ? undefined : Number(each),
    )
    // An empty range is given by the line before it.
    const oldStart = oldCount === 0 ? oldLine : oldLine - 1
    const newStart = newCount === 0 ? newLine : newLine - 1
    hunks.push({ oldStart, oldCount, newStart, newCount })
  }
  return found
}

function expectHunksOfGit(pairs: TextPair[], minDiffering: number): void {
  const folder = tree()
  for (const { name, before, after } of pairs) {
    put(folder, { [`before/${name}`]: before, [`after/${name}`]: after })
  }
  const expected = gitHunks(folder)
  expect(expected.size).toBeGreaterThanOrEqual(minDiffering)
  for (const { name, before, after } of pairs) {
    const hunks = diffLines(Buffer.from(before), Buffer.from(after))
    expect(hunks, `pair ${name}`).toEqual(expected.get(name) ?? [])
  }
}

test('the hunks of every pair of texts are those of git diff', () => {
  expectHunksOfGit(textPairs(), 900)
})

test('the hunks of long texts that are split after equal lines are those of git diff', () => {
  const pairs = longPairs()
  expectHunksOfGit(pairs, pairs.length)
})
