// Cost of zino's memory service over its socket. Each call opens a new connection, as the other
// services do. The service is the built program in a separate process. The wall time of a p50 or
// p99 variant is that percentile, and its memory is the service's.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { rmSync, writeFileSync, writeSync } from 'node:fs'
import { createConnection } from 'node:net'
import path from 'node:path'
import type { Case, FunctionVariant, Sample } from './harness/case.ts'

const appends = 4000
const writers = 64
const longChannel = 100_000
const calls = 2000
const messageBytes = 500
/** Share of the entries of a search that are messages, and the number of their channels. */
const historyShare = 0.8
const channels = 100

const serial = 'write and fdatasync, one after another'
const parallel = `append_history, ${writers} writers`
const shortAppend = 'append to 10 messages, p50'
const longAppend = 'append to 100,000 messages, p50'
const lastFifty = 'get_history limit 50 of 100,000, p50'

export const cases: readonly Case[] = [
  {
    name: 'appends',
    question: `how many durable appends per second do ${writers} writers on different channels get?`,
    repetitions: 5,
    prepare: async (scratch) => {
      configure(scratch)
      await startService(scratch)
      for (let index = 0; index < writers; index += 1) await ask(scratch, append(`c${index}`))
    },
    variants: [
      { name: serial, unit: 'appends', run: syncSerially },
      { name: parallel, unit: 'appends', run: appendInParallel },
    ],
    goals: [{ variant: parallel, figure: 'rate', atLeast: 0.4, peer: serial }],
  },
  {
    name: 'history',
    question: 'what do one append and one read cost on a short and on a long channel?',
    repetitions: 5,
    prepare: prepareChannels,
    variants: [
      percentile('ping, p50', 0.5, () => ({ type: 'ping' })),
      percentile(shortAppend, 0.5, () => append('short')),
      percentile(longAppend, 0.5, () => append('long')),
      percentile(lastFifty, 0.5, () => ({ type: 'get_history', channel_id: 'long', limit: 50 })),
    ],
    goals: [
      { variant: shortAppend, figure: 'wall', atMost: 1 },
      { variant: longAppend, figure: 'wall', atMost: 1 },
      { variant: longAppend, figure: 'wall', atMost: 1.5, peer: shortAppend },
      { variant: lastFifty, figure: 'wall', atMost: 1 },
    ],
  },
  searchCase(100_000, { p50: 1, p99: 4, rss: 180 }),
  searchCase(1_000_000, { p50: 5, p99: 20, rss: 600 }),
  {
    name: 'start',
    question: 'how soon after its start does it answer, with 100,000 memories on disk?',
    repetitions: 5,
    prepare: (scratch) => {
      configure(scratch)
      writeMemories(scratch, 100_000)
    },
    variants: [
      startVariant('ping', { type: 'ping' }),
      startVariant('first search', { type: 'search_hard', query: wordAt(900) }),
      { name: 'index build', unit: 'memories', run: buildIndex },
    ],
    goals: [
      { variant: 'first search', figure: 'wall', atMost: 1500 },
      { variant: 'index build', figure: 'rate', atLeast: 50_000 },
    ],
  },
]

function searchCase(memories: number, limits: { p50: number; p99: number; rss: number }): Case {
  const [p50, p99] = ['search_all, p50', 'search_all, p99']
  const search = (random: () => number) => ({ type: 'search_all', query: queryFrom(random) })
  return {
    name: `search-${memories === 100_000 ? '100k' : '1m'}`,
    question: `how fast is a search for 8 words in ${memories.toLocaleString('en')} entries, 80 % of them messages of channels?`,
    repetitions: 3,
    prepare: async (scratch) => {
      configure(scratch)
      const messages = memories * historyShare
      writeMemories(scratch, memories - messages)
      for (let index = 0; index < channels; index += 1) {
        writeChannel(scratch, index, messages / channels)
      }
      await startService(scratch)
      await ask(scratch, search(randomFrom(1)))
    },
    variants: [
      percentile('ping, p50', 0.5, () => ({ type: 'ping' })),
      percentile(p50, 0.5, search),
      percentile('ping, p99', 0.99, () => ({ type: 'ping' })),
      percentile(p99, 0.99, search),
    ],
    goals: [
      { variant: p50, figure: 'wall', atMost: limits.p50 },
      { variant: p99, figure: 'wall', atMost: limits.p99 },
      { variant: p99, figure: 'rss', atMost: limits.rss },
    ],
  }
}

/**
 * Sends requests one after another; the wall time of the sample is the percentile of their times.
 */
function percentile(
  name: string,
  share: number,
  request: (random: () => number) => object,
): FunctionVariant {
  const run = async (scratch: string) => {
    const random = randomFrom(process.pid)
    const times: number[] = []
    for (let index = 0; index < calls; index += 1) {
      const message = request(random)
      const begin = performance.now()
      await ask(scratch, message)
      times.push(performance.now() - begin)
    }
    times.sort((one, other) => one - other)
    report({ wallMs: times[Math.floor(times.length * share)] ?? 0, rssMib: serviceMib(scratch) })
    return calls
  }
  return { name, unit: 'calls', run }
}

/** Measures from the start of the program to its first answer. */
function startVariant(name: string, request: object): FunctionVariant {
  const run = async (scratch: string) => {
    const begin = performance.now()
    const child = await startService(scratch)
    await ask(scratch, request)
    const wallMs = performance.now() - begin
    const rssMib = serviceMib(scratch)
    await stopService(child)
    report({ wallMs, rssMib })
    return 1
  }
  return { name, unit: 'starts', run }
}

async function buildIndex(scratch: string): Promise<number> {
  const child = await startService(scratch)
  const begin = performance.now()
  await ask(scratch, { type: 'search_hard', query: wordAt(900) })
  const wallMs = performance.now() - begin
  await stopService(child)
  report({ wallMs, amount: 100_000 })
  return 100_000
}

/** Reports this sample instead of the harness's own and exits. */
function report(sample: Partial<Sample>): void {
  const { user, system } = process.cpuUsage()
  writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, ...sample }))
  process.exit(0)
}

function syncSerially(scratch: string): number {
  const file = path.join(scratch, 'serial')
  const descriptor = openSync(file, 'a')
  const bytes = Buffer.alloc(messageBytes, 'x')
  const count = appends / 4
  for (let index = 0; index < count; index += 1) {
    writeSync(descriptor, bytes)
    fdatasyncSync(descriptor)
  }
  closeSync(descriptor)
  rmSync(file)
  return count
}

async function appendInParallel(scratch: string): Promise<number> {
  let remaining = appends
  const write = async (channel: number) => {
    while (remaining > 0) {
      remaining -= 1
      await ask(scratch, append(`c${channel}`))
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, channel) => write(channel)))
  return appends
}

async function prepareChannels(scratch: string): Promise<void> {
  configure(scratch)
  const folder = path.join(scratch, 'data/channels')
  mkdirSync(folder, { recursive: true })
  const messages = (count: number) => Array.from({ length: count }, () => append('').messages[0])
  for (const [name, count] of [
    ['short', 10],
    ['long', longChannel],
  ] as const) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(messages(count), undefined, 2))
  }
  await startService(scratch)
}

function append(channel: string) {
  const message = { role: 'user', content: 'x'.repeat(messageBytes) }
  return { type: 'append_history', channel_id: channel, messages: [message] }
}

/** Called in the main process of the bench, which knows the repository path. */
function configure(scratch: string): void {
  const keys = `socket = "${scratch}/mem.sock"\ndata_dir = "${scratch}/data"\n`
  writeFileSync(path.join(scratch, 'ZINO.toml'), `[logging]\nlevel = "ERROR"\n[mem]\n${keys}`)
  const bench = path.dirname(process.argv[1] ?? '')
  writeFileSync(path.join(scratch, 'program'), path.join(bench, '../packages/zino/bin/zino.cjs'))
}

let serving: ChildProcess | undefined

/**
 * Starts the service of this scratch folder and resolves when it answers. It exits with this
 * process.
 */
async function startService(scratch: string): Promise<ChildProcess> {
  if (serving !== undefined) await stopService(serving)
  const config = path.join(scratch, 'ZINO.toml')
  const program = readFileSync(path.join(scratch, 'program'), 'utf8')
  const child = spawn(process.execPath, [program, 'mem', '--config', config], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let isReady = false; !isReady;) {
    if (child.exitCode !== null) throw new Error('zino mem does not start; is it built?')
    isReady = await ask(scratch, { type: 'ping' }).then(
      () => true,
      () => false,
    )
  }
  writeFileSync(path.join(scratch, 'pid'), String(child.pid))
  child.unref()
  serving = child
  return child
}

async function stopService(child: ChildProcess): Promise<void> {
  serving = undefined
  child.ref()
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

function serviceMib(scratch: string): number {
  const status = readFileSync(
    `/proc/${readFileSync(path.join(scratch, 'pid'), 'utf8')}/status`,
    'utf8',
  )
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** One request on a new connection. Rejects when the answer is an error. */
function ask(scratch: string, message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(message))
    const head = Buffer.alloc(4)
    head.writeUInt32BE(body.length)
    const socket = createConnection({ path: path.join(scratch, 'mem.sock') })
    const pieces: Buffer[] = []
    let received = 0
    socket.on('error', reject)
    socket.on('data', (piece) => {
      pieces.push(piece)
      received += piece.length
      const first = pieces[0] as Buffer
      if (received < 4 || first.length < 4 || received < 4 + first.readUInt32BE(0)) return
      socket.destroy()
      if (first.includes('"type":"error"')) reject(new Error(Buffer.concat(pieces).toString()))
      else resolve()
    })
    socket.write(Buffer.concat([head, body]))
  })
}

const vocabulary = 200_000
/** Cumulative sums of 1/rank, so that words follow Zipf's law as in real text. */
const sums = new Float64Array(vocabulary)
for (let rank = 1, sum = 0; rank <= vocabulary; rank += 1) sums[rank - 1] = sum += 1 / rank

function wordAt(rank: number): string {
  return `w${rank.toString(36)}${'x'.repeat(rank % 4)}`
}

function drawWord(random: () => number): string {
  const target = random() * (sums[vocabulary - 1] as number)
  let [low, high] = [0, vocabulary - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as number) < target) low = middle + 1
    else high = middle
  }
  return wordAt(low)
}

/** Eight words, three of them among the five most common. */
function queryFrom(random: () => number): string {
  const common = Array.from({ length: 3 }, () => wordAt(Math.floor(random() * 5)))
  return [...common, ...Array.from({ length: 5 }, () => drawWord(random))].join(' ')
}

function writeMemories(scratch: string, count: number): void {
  const memory = (content: string) => ({ messages: [{ role: 'user', content }], tag: '' })
  writeList(path.join(scratch, 'data/hard_memories.json'), count, 7, memory)
}

function writeChannel(scratch: string, index: number, count: number): void {
  const ts = new Date(0).toISOString()
  const message = (content: string) => ({ role: 'user', content, ts })
  writeList(path.join(scratch, `data/channels/c${index}.json`), count, 8 + index, message)
}

/** Writes a list of `count` texts in the form of the service. */
function writeList(
  file: string,
  count: number,
  seed: number,
  entryOf: (content: string) => object,
): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const descriptor = openSync(file, 'w')
  const random = randomFrom(seed)
  const perWrite = 1000
  for (let done = 0; done < count; done += perWrite) {
    const part = Array.from({ length: Math.min(perWrite, count - done) }, () => {
      const length = 12 + Math.floor(random() * 26)
      return entryOf(Array.from({ length }, () => drawWord(random)).join(' '))
    })
    const text = JSON.stringify(part, undefined, 2)
    writeSync(descriptor, (done === 0 ? '[' : ',') + text.slice(1, -2))
  }
  writeSync(descriptor, '\n]')
  closeSync(descriptor)
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
