// Kills writers of one file with SIGKILL at random instants while a reader reads it.
// ZEE_ROUNDS sets the number of kills.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startChild, type LineChild } from '../../test/line-child.ts'
import { writeJsonAtomic } from './atomic-file.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 30)
const folder = mkdtempSync(path.join(tmpdir(), 'zee-atomic-crash-'))
const file = path.join(folder, 'a.json')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  `writeJsonAtomic loses no acknowledged write when ${rounds} writers are killed`,
  { timeout: 60_000 + rounds * 1000 },
  async () => {
    await writeJsonAtomic(file, { name: 'before', generation: 0, pad: '' })
    const stop = new AbortController()
    const reads = readOn(stop.signal)
    const starting: Promise<LineChild>[] = []
    for (let round = 0; round < rounds; round++) {
      while (starting.length < 3 && round + starting.length < rounds) {
        starting.push(startWriter(round + starting.length))
      }
      const writer = await starting.shift()
      if (writer === undefined) throw new Error('no writer to kill')
      await killWithin(writer)
      expectAtLeast(`w${round}`, Number(writer.lines.at(-1)))
    }
    stop.abort()
    expect(await reads).toBeGreaterThan(rounds)
    await writeJsonAtomic(file, {})
    expect(readdirSync(folder)).toEqual(['a.json'])
  },
)

/** Every tenth writer is durable, so that kills also hit flushes. */
function startWriter(round: number): Promise<LineChild> {
  return startChild('atomic-writer', [file, `w${round}`, round % 10 === 0 ? 'durable' : ''])
}

/** Kills the writer during or after a random write, at least one of which was acknowledged. */
async function killWithin(writer: LineChild): Promise<void> {
  let left = 1 + Math.floor(Math.random() * 10)
  writer.onLine(() => {
    if (--left === 0) writer.kill()
  })
  writer.send([1])
  const { stderr, signal } = await writer.ended
  expect([stderr, signal]).toEqual(['', 'SIGKILL'])
}

function expectAtLeast(name: string, acknowledged: number): void {
  const content = parse(readFileSync(file, 'utf8'))
  expect(content.name).toBe(name)
  expect(content.generation).toBeGreaterThanOrEqual(acknowledged)
}

/** Reads in a loop; a partial or empty file would not parse. */
async function readOn(signal: AbortSignal): Promise<number> {
  let reads = 0
  for (; !signal.aborted; reads++) {
    parse(await readFile(file, 'utf8'))
    // Yields the processor to the writers.
    await setTimeout(1)
  }
  return reads
}

function parse(text: string): { name: string; generation: number } {
  const content = JSON.parse(text) as { name: string; generation: number; pad: string }
  expect(content.pad).toHaveLength((content.generation * 7919) % 100_000)
  return content
}
