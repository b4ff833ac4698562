// Changes a tree at random and checks after each change that the next answers include it.
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { Client } from './sandbox.ts'

/** A seeded random generator, so that a failing run can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Runs `rounds` random changes; failures report the seed. */
export async function checkFreshness(client: Client, root: string, rounds: number): Promise<void> {
  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  const files = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    change(root, files, random)
    const note = `round ${round}, seed ${seed}`
    const sorted = [...files.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect((await client.ok('list_files', {})).files, note).toEqual(sorted)
    const probe = sorted[random(sorted.length)]
    if (probe === undefined) continue
    const content = files.get(probe) ?? ''
    const holders = sorted.filter((each) => files.get(each) === content)
    const { hits } = await client.ok('grep', { pattern: content })
    expect(
      (hits as { path: string }[]).map(({ path }) => path),
      note,
    ).toEqual(holders)
    expect((await client.ok('read_file', { path: probe })).text, note).toBe(content)
  }
}

/** Creates, removes, renames or rewrites one file and updates `files`. */
function change(root: string, files: Map<string, string>, random: (below: number) => number): void {
  const at = (name: string): string => path.join(root, name)
  const nameOf = (): string => `${['', 'd/', 'd/e/', 'f/'][random(4)]}n${random(12)}.txt`
  const word = (): string => `w${String(random(1000)).padStart(4, '0')}`
  const name = nameOf()
  const old = files.get(name)
  const kind = random(5)
  if (old === undefined || kind === 0) {
    mkdirSync(path.dirname(at(name)), { recursive: true })
    files.set(name, word())
    writeFileSync(at(name), `${files.get(name)}\n`)
  } else if (kind === 1) {
    rmSync(at(name))
    files.delete(name)
  } else if (kind === 2) {
    const target = nameOf()
    mkdirSync(path.dirname(at(target)), { recursive: true })
    renameSync(at(name), at(target))
    files.delete(name)
    files.set(target, old)
  } else {
    // Keeps size, atime and mtime: only ctime shows the change.
    const { atime, mtime } = statSync(at(name))
    files.set(name, word())
    writeFileSync(at(name), `${files.get(name)}\n`)
    utimesSync(at(name), atime, mtime)
  }
}
