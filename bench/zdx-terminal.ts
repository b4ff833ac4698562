// The delay between a key and its echo in a zdx conversation, on a terminal of script(1). The floor is a
// bare Node program that writes each key back. Also the memory of a conversation that waits for input.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, FunctionVariant, Sample } from './harness/case.ts'

const floor = 'bare echo'
const keys = 200
/** Characters that neither the answer nor zdx writes. */
const firstKey = 0x0400
const waitMs = 20_000
const pasteOfLines = `\u001b[200~${'a line of pasted text\n'.repeat(10_000)}\u001b[201~`

export const cases: readonly Case[] = [
  {
    name: 'echo',
    question: 'how long does a key take to its echo (p99, as wall time)?',
    repetitions: 3,
    prepare: (scratch) => mkdirSync(path.join(scratch, 'home')),
    variants: [
      echoVariant(floor, async (scratch) => {
        const file = path.join(scratch, 'echo.cjs')
        writeFileSync(
          file,
          'process.stdin.setRawMode(true).on("data", (d) => process.stdout.write(d))',
        )
        return openTerminal(`${process.execPath} ${file}`, {})
      }),
      echoVariant('zdx, empty prompt', openChat),
      echoVariant('zdx, after a paste of 10,000 lines', async (scratch) => {
        const chat = await openChat(scratch)
        chat.type(pasteOfLines)
        await chat.sees('[pasted 10000 lines]')
        return chat
      }),
      // The first key waits for the terminal to deliver the paste.
      echoVariant('zdx, keys sent with that paste', async (scratch) => {
        const chat = await openChat(scratch)
        chat.type(pasteOfLines)
        return chat
      }),
      echoVariant('zdx, during an answer of 1 MB', async (scratch) => {
        const chat = await openChat(scratch)
        chat.type('go\r')
        await chat.sees('streamed')
        return chat
      }),
    ],
    goals: [
      { variant: 'zdx, empty prompt', figure: 'wall', atMost: 20 },
      { variant: 'zdx, after a paste of 10,000 lines', figure: 'wall', atMost: 20 },
      { variant: 'zdx, keys sent with that paste', figure: 'wall', atMost: 20 },
      { variant: 'zdx, during an answer of 1 MB', figure: 'wall', atMost: 20 },
      { variant: 'zdx, empty prompt', figure: 'rss', atMost: 90 },
    ],
  },
]

interface Terminal {
  type(text: string): void
  /** Resolves when the program has written the text. */
  sees(text: string): Promise<void>
  /** Resident memory of the largest process below `script`, in MiB. */
  rssMib(): number
  close(): void
}

function echoVariant(name: string, open: (scratch: string) => Promise<Terminal>): FunctionVariant {
  return {
    name,
    unit: 'keys',
    run: async (scratch): Promise<Partial<Sample>> => {
      const terminal = await open(scratch)
      try {
        const rssMib = terminal.rssMib()
        return { wallMs: await measureEcho(terminal), rssMib, amount: keys }
      } finally {
        terminal.close()
      }
    },
  }
}

/** The 99th percentile in ms. */
async function measureEcho(terminal: Terminal): Promise<number> {
  const delays: number[] = []
  for (let index = 0; index < keys; index++) {
    const key = String.fromCodePoint(firstKey + index)
    const startedMs = performance.now()
    terminal.type(key)
    await terminal.sees(key)
    delays.push(performance.now() - startedMs)
    await sleep(5)
  }
  delays.sort((a, b) => a - b)
  return delays[Math.floor(keys * 0.99)] ?? Number.NaN
}

async function openChat(scratch: string): Promise<Terminal> {
  const zdx = path.resolve('packages/zdx/bin/zdx.cjs')
  const chat = openTerminal(`${process.execPath} ${zdx} --no-save`, {
    ZDX_HOME: path.join(scratch, 'home'),
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: await serveAnswer(),
  })
  await chat.sees('you> ')
  return chat
}

function openTerminal(command: string, env: Record<string, string>): Terminal {
  const line = `stty cols 100 rows 40; exec ${command}`
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
  })
  let text = ''
  let onData = () => {}
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    text += chunk
    onData()
  })
  child.stdin.on('error', () => {})
  return {
    type: (typed) => void child.stdin.write(typed),
    sees: (wanted) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`'${wanted}' was not shown`)), waitMs)
        onData = () => {
          const found = text.indexOf(wanted)
          // Keeps the search short.
          if (found === -1) {
            text = text.slice(-100)
            return
          }
          text = text.slice(found + wanted.length)
          clearTimeout(timer)
          onData = () => {}
          resolve()
        }
        onData()
      }),
    rssMib: () => largestRss(child),
    close: () => void child.kill('SIGKILL'),
  }
}

function largestRss({ pid }: ChildProcess): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        if (!status.includes(`\nPPid:\t${pid}\n`)) return 0
        return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
      } catch {
        return 0
      }
    })
  return Math.max(...sizes)
}

const paragraph =
  'This is a line of a **streamed** answer with `code`, which is wrapped at spaces when it is long.\n'
const code =
  '```ts\nexport function add(a: number, b: number): number {\n  return a + b // sum\n}\n```\n'

/** Streams 1 MB of Markdown over about three seconds; the server ends with the process. */
async function serveAnswer(): Promise<string> {
  const block = paragraph.repeat(8) + code
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const usage = { input_tokens: 1, output_tokens: 1 }
    response.write(
      event({ type: 'message_start', message: { role: 'assistant', content: [], usage } }),
    )
    response.write(
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    )
    let sent = 0
    const timer = setInterval(() => {
      if (sent > 1_000_000) {
        clearInterval(timer)
        return
      }
      const text = block.repeat(2)
      sent += text.length
      response.write(
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      )
    }, 5)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
