// zeno under 100,000 changes and on a tree of 200,000 files.
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

/** A round costs little, so there are ten for each round of the crash tests. */
const rounds = Number(process.env.ZEE_ROUNDS ?? 10_000) * 10

it(`zeno sees every change made before a request, over ${rounds} random rounds`, async () => {
  await checkFreshness(client, box.root, rounds)
})

it('zeno lists and searches 200,000 files within 400 MiB', async () => {
  for (let folder = 0; folder < 2000; folder++) {
    const parent = path.join(box.root, `g${folder % 40}/d${folder}`)
    mkdirSync(parent, { recursive: true })
    for (let file = 0; file < 100; file++) {
      writeFileSync(path.join(parent, `f${file}.txt`), file === 50 ? 'mark\n' : 'x\n')
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
