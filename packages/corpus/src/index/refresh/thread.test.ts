import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { openRoot } from '@zee/core/contained-path'
import { expect, it, onTestFinished } from 'vitest'
import { tree } from '../../../test/support/trees.ts'
import { createKernel, createSharedMemory, kernelModule, reserve } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { WasmMemory } from '../../wasm/wasm.ts'
import { FileFlag } from '../file-table.ts'
import { checksumOf } from '../snapshot/checksum.ts'
import { emptyReply, readRecord, writeRecord } from './jobs.ts'
import type { BuildJob, BuildReply, SideJob, SideReply } from './jobs.ts'
import { serveBuilder } from './thread.ts'

const { known, unreadable, plainCase, ascii } = FileFlag

function ask(port: MessagePort, job: BuildJob | SideJob): Promise<BuildReply | SideReply> {
  return new Promise((resolve) => {
    port.once('message', resolve)
    port.postMessage(job)
  })
}

/** The loop of an index worker, in this thread. */
function builder(folder: string, contentLimit = 64 << 20): { port: MessagePort; kernel: Kernel } {
  const memory = createSharedMemory(64 << 20) as WasmMemory
  const root = openRoot(folder)
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  serveBuilder(port2, { memory, module: kernelModule(), root, contentLimit })
  return { port: port1, kernel: createKernel(memory) }
}

/** A wall-clock time at which no file was written just before. */
const later = BigInt(Date.now() + 3_600_000) * 1_000_000n

const twoFolders = (options: Partial<BuildJob> = {}): BuildJob => ({
  folders: [
    { path: '.', names: ['a.txt', 'missing'], ids: [7, 3], generations: [1, 5] },
    { path: 'sub', names: ['b.txt'], ids: [9], generations: [0] },
    { path: 'gone', names: ['c.txt'], ids: [4], generations: [2] },
  ],
  nowNs: later,
  fills: false,
  ...options,
})

it('an index worker replies with a record for each file of the job, in its order', async () => {
  const folder = tree({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': '\u00e4b' })
  const { port, kernel } = builder(folder)
  const reply = (await ask(port, twoFolders())) as BuildReply
  expect(reply).toMatchObject({ ids: [7, 3, 9, 4], generations: [1, 5, 0, 2], fills: false })
  const [first, missing, second, gone] = [0, 1, 2, 3].map((index) => readRecord(reply, index))
  expect(first).toMatchObject({ flags: known | plainCase | ascii, size: 8, chars: 8, length: 8 })
  expect(second).toMatchObject({ flags: known | plainCase, size: 3, chars: 2, length: 3 })
  const at = first?.extent?.address ?? 0
  expect(kernel.bytes().toString('utf8', at, at + 8)).toBe('one\ntwo\n')
  expect(first?.slot?.column).toBe(0)
  for (const record of [missing, gone]) {
    expect(record).toMatchObject({ flags: known | unreadable, size: 0, inode: 0n })
    expect(record).toMatchObject({ extent: undefined, slot: undefined })
  }
})

it('an index worker that fills reads contents without signatures', async () => {
  const folder = tree({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b' })
  const { port } = builder(folder)
  const reply = (await ask(port, twoFolders({ fills: true }))) as BuildReply
  expect(reply.fills).toBe(true)
  const first = readRecord(reply, 0)
  expect(first).toMatchObject({ flags: known, size: 8, length: 8, chars: 0, slot: undefined })
  expect(first.extent?.bytes).toBe(64)
})

it('an index worker without memory for contents signs the files', async () => {
  const folder = tree({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b' })
  const { port } = builder(folder, 0)
  const reply = (await ask(port, twoFolders())) as BuildReply
  expect(readRecord(reply, 0)).toMatchObject({ chars: 8, extent: undefined })
  expect(readRecord(reply, 0).slot?.block.address).toBeGreaterThan(0)
})

it.each([
  ['complete', 64, 0, true],
  ['that ends early', 80, 0, false],
  ['with another checksum', 64, 1, false],
])('an index worker replies whether a section %s is loaded', async (_, bytes, change, isDone) => {
  const folder = tree()
  const words = Int32Array.from({ length: 16 }, (__, at) => at * 77_777)
  const file = path.join(folder, 'section')
  writeFileSync(file, Buffer.concat([Buffer.from('head'), Buffer.from(words.buffer)]))
  const { port, kernel } = builder(folder)
  const address = reserve(kernel.memory, bytes) as number
  const fd = openSync(file, 'r')
  onTestFinished(() => closeSync(fd))
  const sum = checksumOf(change === 0 ? words : words.map((word) => word + 1))
  expect(await ask(port, { load: { fd, at: 4, bytes, address, sum } })).toEqual({ done: isDone })
  expect(new Int32Array(kernel.memory.buffer, address, 16)).toEqual(words)
})

it('an index worker replies that a section of a closed file is not loaded', async () => {
  const { port } = builder(tree())
  const load = { fd: -1, at: 0, bytes: 16, address: 4096, sum: '' }
  expect(await ask(port, { load })).toEqual({ done: false })
})

it.each([
  [{ extent: { address: 640, bytes: 128 }, slot: undefined }],
  [{ extent: undefined, slot: { block: { address: 4096, size: 12, columns: 512 }, column: 17 } }],
  [{ extent: undefined, slot: { block: { address: 4096, size: 15, columns: 128 }, column: 17 } }],
])('a record is the same after its transfer: %j', (memory) => {
  const records = [1, 2].map((at) => ({
    flags: at,
    size: at * 10,
    chars: at * 9,
    length: at * 8,
    modified: BigInt(at) * 3n,
    changed: BigInt(at) * 5n,
    inode: BigInt(at) * 7n,
    ...memory,
  }))
  const folders = [{ path: '/', names: ['a', 'b'], ids: [0, 1], generations: [0, 0] }]
  const reply = emptyReply({ folders, nowNs: 0n, fills: false })
  expect(reply.numbers).toHaveLength(18)
  expect(reply.times).toHaveLength(6)
  records.forEach((record, index) => writeRecord(reply, index, record))
  expect([0, 1].map((index) => readRecord(reply, index))).toEqual(records)
})
