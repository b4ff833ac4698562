// zeno over thousands of changes and over a tree of 200,000 files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkFreshness } from '../contract/zeno/freshness-rounds.ts'
import type { Client, Sandbox } from '../contract/zeno/sandbox.ts'
import { createSandbox } from '../contract/zeno/sandbox.ts'

let box: Sandbox
let client: Client
beforeEach(() => {
  box = createSandbox()
  client = box.server()
})
afterEach(() => box.remove())

/** A change and a request cost little: ten for each kill of the crash tests. */
const rounds = Number(process.env.ZEE_ROUNDS ?? 10_000) * 10

it(`a change before a request is seen by it, over ${rounds} random rounds`, async () => {
  await checkFreshness(client, box.root, rounds)
})

it('200,000 files are listed and searched in bounded memory', async () => {
  for (let folder = 0; folder < 2000; folder++) {
    const place = path.join(box.root, `g${folder % 40}/d${folder}`)
    mkdirSync(place, { recursive: true })
    for (let file = 0; file < 100; file++) {
      writeFileSync(path.join(place, `f${file}.txt`), file === 50 ? 'mark\n' : 'x\n')
    }
  }
  const args = { max: 1_000_000, max_files: 1_000_000 }
  expect((await client.ok('list_files', args)).files).toHaveLength(200_000)
  const found = await client.ok('grep', { pattern: 'mark', max_hits: 5000, max_files: 1_000_000 })
  expect(found.hits).toHaveLength(2000)
  expect(found.metrics.files_scanned).toBe(200_000)
  const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8')
  const peakMib = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
  expect(peakMib).toBeLessThan(400)
})
