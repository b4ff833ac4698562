import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { plainNeedle } from '../../../finder/finder.ts'
import type { PlainNeedle } from '../../../finder/finder.ts'
import { createKernel, createSharedMemory, kernelModule, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WasmMemory } from '../../../wasm/wasm.ts'
import { Control, controlBytes, Item, itemBytes, itemWords, notSearched } from '../layout.ts'
import type { QueryJob, QueryPattern, ThreadMessage } from './jobs.ts'
import { serveQueries } from './thread.ts'

interface Setup {
  kernel: Kernel
  control: Int32Array
  items: Int32Array
  itemsAt: number
  /** Runs a job and returns the messages of the thread. */
  run(job: Partial<QueryJob> & { pattern: QueryPattern }): Promise<ThreadMessage[]>
}

const literal = (text: string): QueryPattern => ({
  kind: 'literal',
  needle: plainNeedle(text, true) as PlainNeedle,
})

/** The loop of a query thread, in this thread, over published texts. */
async function serve(
  texts: string[],
  { linesBytes = 1 << 16, maxBytes = 8 << 20 } = {},
): Promise<Setup> {
  const memory = createSharedMemory(maxBytes) as WasmMemory
  const kernel = createKernel(memory)
  const controlAt = reserve(memory, controlBytes) as number
  const control = new Int32Array(memory.buffer, controlAt, controlBytes / 4)
  const itemsAt = reserve(memory, texts.length * itemBytes) as number
  const items = new Int32Array(memory.buffer, itemsAt, texts.length * itemWords)
  texts.forEach((text, at) => {
    const bytes = Buffer.from(text)
    const address = reserve(memory, bytes.length) as number
    kernel.bytes().set(bytes, address)
    items[at * itemWords + Item.address] = address
    const isAscii = bytes.length === text.length ? 1 : 0
    items[at * itemWords + Item.length] = bytes.length * 2 + isAscii
  })
  control[Control.ready] = texts.length
  control[Control.complete] = 1
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  let heard: ThreadMessage[] = []
  const untilIdle = (): Promise<ThreadMessage[]> =>
    new Promise((resolve) => {
      port1.on('message', (message: ThreadMessage) => {
        heard.push(message)
        if (message === 'idle') resolve(heard)
      })
    })
  const started = untilIdle()
  serveQueries(port2, {
    memory,
    module: kernelModule(),
    control: controlAt,
    tableBytes: 1 << 18,
    linesBytes,
  })
  expect(await started).toEqual(['idle'])
  return {
    kernel,
    control,
    items,
    itemsAt,
    run: (job) => {
      heard = []
      port1.removeAllListeners('message')
      const ended = untilIdle()
      const rest = { items: itemsAt, maxItems: texts.length, group: 2, limit: 100 }
      port1.postMessage({ ...rest, countsOnly: false, ...job })
      return ended
    },
  }
}

const outcomes = ({ items }: Setup): number[] =>
  Array.from(
    { length: items.length / itemWords },
    (_, at) => items[at * itemWords + Item.outcome] as number,
  )

/** Numbers and starts of the lines of an item. */
function linesOf({ kernel, items }: Setup, item: number): number[][] {
  const at = item * itemWords
  const count = (items[at + Item.outcome] as number) - 1
  const words = new Uint32Array(kernel.memory.buffer, items[at + Item.lines], count * 4)
  return Array.from({ length: count }, (_, line) =>
    Array.from(words.subarray(line * 4, line * 4 + 2)),
  )
}

it('a query thread stores the number of lines plus one, and their addresses, for each item', async () => {
  const thread = await serve(['ab\nx\nab', 'none', 'x\nab', '\u00e4ab', ''])
  expect(await thread.run({ pattern: literal('ab') })).toEqual(['idle'])
  expect(outcomes(thread)).toEqual([3, 1, 2, 2, 1])
  const lines = [0, 1, 2, 3, 4].map((item) => linesOf(thread, item))
  expect(lines).toEqual([
    [
      [1, 0],
      [3, 5],
    ],
    [],
    [[2, 2]],
    [[1, 0]],
    [],
  ])
})

it('a query thread searches with the automaton of a pattern', async () => {
  const thread = await serve(['ab\nx\ncb', 'none', '\u00e4b\ncb'])
  await thread.run({ pattern: { kind: 'regex', pattern: '[ac]b', ignoreCase: false } })
  expect(outcomes(thread)).toEqual([3, 1, 2])
  expect(linesOf(thread, 2)).toEqual([[2, 4]])
})

it('a query thread skips the groups that other threads have claimed', async () => {
  const thread = await serve(['a', 'a', 'a', 'a', 'a'])
  thread.control[Control.next] = 1
  await thread.run({ pattern: literal('a') })
  expect(outcomes(thread)).toEqual([0, 0, 2, 2, 2])
  expect(thread.control[Control.next]).toBe(4)
})

it('a query thread does nothing after the job is stopped', async () => {
  const thread = await serve(['a', 'a'])
  thread.control[Control.stop] = 1
  await thread.run({ pattern: literal('a') })
  expect(outcomes(thread)).toEqual([0, 0])
  expect(thread.control[Control.next]).toBe(0)
})

it.each([
  [0, ['idle']],
  [1, ['progress', 'idle']],
  [2, ['progress', 'idle']],
  [3, ['progress', 'idle']],
  [4, ['progress', 'idle']],
  [5, ['progress', 'idle']],
  [6, ['idle']],
])('a query thread reports the group with the awaited item %d', async (awaited, messages) => {
  const thread = await serve(['a', 'a', 'a', 'a', 'a'])
  thread.control[Control.awaited] = awaited
  expect(await thread.run({ pattern: literal('a') })).toEqual(messages)
})

it('a query thread finds at most the limit of lines of each item', async () => {
  const thread = await serve(['a\na\na\na', 'a\na', 'a'])
  await thread.run({ pattern: literal('a'), limit: 2 })
  expect(outcomes(thread)).toEqual([3, 3, 2])
})

it('a query thread counts more lines than its memory holds', async () => {
  const thread = await serve(['a\n'.repeat(5), 'a\n'.repeat(4), 'a\n'.repeat(13)], {
    linesBytes: 64,
  })
  await thread.run({ pattern: literal('a'), countsOnly: true })
  expect(outcomes(thread)).toEqual([6, 5, 14])
})

it('a query thread counts at most the limit of lines', async () => {
  const thread = await serve(['a\n'.repeat(9), 'a\n'.repeat(7)], { linesBytes: 64 })
  await thread.run({ pattern: literal('a'), countsOnly: true, limit: 7 })
  expect(outcomes(thread)).toEqual([8, 8])
})

it('a query thread finds lines beyond its limit per call', async () => {
  const thread = await serve(['a\n'.repeat(10_000), 'x'], { linesBytes: 1 << 18 })
  await thread.run({ pattern: literal('a'), limit: 9000 })
  expect(outcomes(thread)).toEqual([9001, 1])
  const lines = linesOf(thread, 0)
  expect(lines.every(([line = 0, start], at) => line === at + 1 && start === at * 2)).toBe(true)
})

it('a query thread gives up a text with more lines than its memory holds', async () => {
  const thread = await serve(['a\n'.repeat(5), 'a\n'.repeat(3), 'x'], { linesBytes: 64 })
  await thread.run({ pattern: literal('a') })
  expect(outcomes(thread)).toEqual([notSearched, 4, 1])
})

it('a query thread keeps the lines of all items while they fit', async () => {
  const thread = await serve(['a\na\n', 'xx\na\n', 'x\na\n'], { linesBytes: 80 })
  await thread.run({ pattern: literal('a') })
  expect([0, 1, 2].map((item) => linesOf(thread, item))).toEqual([
    [
      [1, 0],
      [2, 2],
    ],
    [[2, 3]],
    [[2, 2]],
  ])
})

it('a query thread reuses its memory once the items before are collected', async () => {
  const thread = await serve(['a\na\na\n', 'x', 'a\nb\na\n'], { linesBytes: 64 })
  thread.control[Control.collected] = 2
  expect(await thread.run({ pattern: literal('a') })).toEqual(['idle'])
  expect(outcomes(thread)).toEqual([4, 1, 3])
  expect(linesOf(thread, 2)).toEqual([
    [1, 0],
    [3, 4],
  ])
  expect(thread.items[2 * itemWords + Item.lines]).toBe(thread.items[Item.lines])
})

it('a query thread searches nothing if there is no memory for lines', async () => {
  const thread = await serve(['a', 'b'], { linesBytes: 16 << 20 })
  await thread.run({ pattern: literal('a') })
  expect(outcomes(thread)).toEqual([notSearched, notSearched])
})

it('a query thread searches nothing for a pattern without an automaton', async () => {
  const thread = await serve(['aa', 'b'])
  await thread.run({ pattern: { kind: 'regex', pattern: String.raw`(a)\1`, ignoreCase: false } })
  expect(outcomes(thread)).toEqual([notSearched, notSearched])
})
