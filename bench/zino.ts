// Cost of zino compared with minimal equivalents: a client that calls the model directly, a Node
// process that copies one socket to another, empty Node processes. The model is a loopback server
// in a separate process. Every variant starts and stops its own zino.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Case, FunctionVariant } from './harness/case.ts'
import { withChain } from './zino/chain.ts'
import { askDirectly, askZino, median } from './zino/clients.ts'
import { relaySource, modelSource } from './zino/programs.ts'
import { cpuMsOf, rssMibOf, startProgram, startZino, withZino } from './zino/running.ts'

const floor = 'direct client'
const chain = 'added by five empty processes'
const emptyNode = 'node empty.cjs'
const rounds = 200
const warmUp = 100
const chunks = 1000
const clients = 200

export const cases: readonly Case[] = [
  {
    name: 'first-chunk',
    question:
      'how much later (p50) does the first chunk arrive through zino than directly from the model?',
    repetitions: 5,
    prepare,
    variants: [
      firstChunk(floor, withZino, ({ direct }) => direct),
      firstChunk(chain, withChain, ({ direct, through }) => through - direct),
      firstChunk('added by zino', withZino, ({ direct, through }) => through - direct),
    ],
    goals: [{ variant: 'added by zino', figure: 'wall', atMost: 3 }],
  },
  {
    name: 'relay',
    question: `how much CPU time do ${chunks.toLocaleString('en')} chunks of a stream cost (1 ms in total is 1 us per chunk)?`,
    repetitions: 5,
    prepare,
    variants: [bareRelay(), ...relays()],
    goals: [
      { variant: 'three hops, full speed', figure: 'cpu', atMost: 40 },
      // At this pace, waking the process dominates. The bare relay itself may exceed the limit.
      { variant: 'one hop of three, 2 ms apart', figure: 'cpu', atMost: 40 },
      { variant: 'one hop of three, 2 ms apart', figure: 'cpu', atMost: 1.5, peer: 'bare relay' },
    ],
  },
  {
    name: 'up',
    question:
      'what does zino up cost until all seven services answer, and how much memory do they use?',
    repetitions: 10,
    prepare,
    variants: [
      {
        name: emptyNode,
        runsPerSample: 5,
        command: ({ node, scratch }) => [node, path.join(scratch, 'empty.cjs')],
      },
      { name: 'zino up', unit: 'services', run: (scratch) => measureUp(scratch) },
    ],
    goals: [
      { variant: 'zino up', figure: 'wall', atMost: 800 },
      { variant: 'zino up', figure: 'cpu', atMost: 16, peer: emptyNode },
      { variant: 'zino up', figure: 'rss', atMost: 330 },
    ],
  },
  {
    name: 'clients',
    question: `how many answers per second do ${clients} concurrent clients get?`,
    repetitions: 3,
    prepare,
    variants: [manyClients(floor, false), manyClients('through zino', true)],
    goals: [{ variant: 'through zino', figure: 'rate', atLeast: 100 }],
  },
]

function prepare(scratch: string): void {
  writeFileSync(path.join(scratch, 'model.cjs'), modelSource)
  writeFileSync(path.join(scratch, 'relay.cjs'), relaySource)
  writeFileSync(path.join(scratch, 'empty.cjs'), '')
  const repository = path.dirname(path.dirname(process.argv[1] ?? 'bench/main.ts'))
  writeFileSync(path.join(scratch, 'zino'), path.join(repository, 'packages/zino/bin/zino.cjs'))
}

/** Alternates between both clients, so that load affects both. `figure` selects the result from the two medians. */
function firstChunk(
  name: string,
  withService: typeof withChain,
  figure: (medians: { direct: number; through: number }) => number,
): FunctionVariant {
  const run = (scratch: string) =>
    withService(scratch, async ({ model, daemon }) => {
      const direct: number[] = []
      const through: number[] = []
      for (let round = 0; round < warmUp + rounds; round += 1) {
        const one = await askDirectly(model, 'hi')
        const other = await askZino(daemon, 'hi')
        if (round < warmUp) continue
        direct.push(one.firstMs)
        through.push(other.firstMs)
      }
      const wallMs = figure({ direct: median(direct), through: median(through) })
      return { wallMs, amount: rounds }
    })
  return { name, unit: 'rounds', run }
}

/** The floor for one hop: a process that only copies from socket to socket. */
function bareRelay(): FunctionVariant {
  const run = async (scratch: string) => {
    const relay = await startProgram(scratch, 'relay.cjs', String(chunks), '2')
    try {
      await relay.line()
      const before = cpuMsOf(relay.pid)
      relay.write('go\n')
      await relay.line()
      return { cpuMs: cpuMsOf(relay.pid) - before, amount: chunks }
    } finally {
      relay.stop()
    }
  }
  return { name: 'bare relay', unit: 'chunks', run }
}

function relays(): FunctionVariant[] {
  const measured = (name: string, message: string, hops: number): FunctionVariant => ({
    name,
    unit: 'chunks',
    run: (scratch) =>
      withZino(scratch, async ({ daemon, pids }) => {
        const cpu = () => ['daemon', 'agr', 'rtr'].reduce((sum, of) => sum + cpuMsOf(pids(of)), 0)
        // Cold code takes three times as long, and a running zino is warm.
        for (let round = 0; round < 3; round += 1)
          await askZino(daemon, `chunks ${4 * chunks} 0.25`)
        await askZino(daemon, message)
        const before = cpu()
        await askZino(daemon, message)
        return { cpuMs: (cpu() - before) / hops, amount: chunks }
      }),
  })
  return [
    measured('three hops, full speed', `chunks ${chunks} 0`, 1),
    measured('three hops, 2 ms apart', `chunks ${chunks} 2`, 1),
    measured('one hop of three, 2 ms apart', `chunks ${chunks} 2`, 3),
  ]
}

async function measureUp(scratch: string) {
  const zino = await startZino(scratch, 'http://127.0.0.1:9/v1')
  try {
    const { wallMs } = zino
    const all = zino.services()
    const cpuMs = [zino.pid, ...all].reduce((sum, pid) => sum + cpuMsOf(pid), 0)
    const rssMib = all.reduce((sum, pid) => sum + rssMibOf(pid), 0)
    return { wallMs, cpuMs, rssMib, amount: all.length }
  } finally {
    await zino.stop()
  }
}

function manyClients(name: string, isThrough: boolean): FunctionVariant {
  const run = (scratch: string) =>
    withZino(scratch, async ({ model, daemon }) => {
      const ask = () => (isThrough ? askZino(daemon, 'hi') : askDirectly(model, 'hi'))
      const all = () => Promise.all(Array.from({ length: clients }, ask))
      await all()
      const began = performance.now()
      for (let round = 0; round < 3; round += 1) await all()
      return { wallMs: performance.now() - began, amount: 3 * clients }
    })
  return { name, unit: 'answers', run }
}
