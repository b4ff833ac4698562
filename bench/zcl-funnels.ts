// Delay that the MCP proxy and the HTTP proxy add to calls. For single calls the wall time is the
// median. `added` alternates between both routes, call by call, and reports the difference of their
// medians.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Case, Sample } from './harness/case.ts'

const calls = 3000
const warmUp = 300
const largeBytes = 50_000_000
const largeMessages = 4

export const cases: readonly Case[] = [
  {
    name: 'mcp-call',
    question: 'how much delay does the MCP proxy add to a response?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'calls', run: (scratch) => medianCall(scratch, ['direct']) },
      { name: 'proxy', unit: 'calls', run: (scratch) => medianCall(scratch, ['proxy']) },
      {
        name: 'added',
        unit: 'calls',
        run: (scratch) => medianCall(scratch, ['direct', 'proxy']),
      },
    ],
    goals: [{ variant: 'added', figure: 'wall', atMost: 0.15 }],
  },
  {
    name: 'mcp-large',
    question: 'how fast do responses of 50 MB pass through the MCP proxy?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'MB', run: (scratch) => largeRate(scratch, 'direct') },
      { name: 'proxy', unit: 'MB', run: (scratch) => largeRate(scratch, 'proxy') },
    ],
    goals: [{ variant: 'proxy', figure: 'rate', atLeast: 200 }],
  },
  {
    name: 'http-request',
    question: 'how much delay does the HTTP proxy add to a response?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'requests', run: (scratch) => medianRequest(scratch, ['direct']) },
      { name: 'proxy', unit: 'requests', run: (scratch) => medianRequest(scratch, ['proxy']) },
      {
        name: 'added',
        unit: 'requests',
        run: (scratch) => medianRequest(scratch, ['direct', 'proxy']),
      },
      {
        name: 'added by a bare relay',
        unit: 'requests',
        run: (scratch) => medianRequest(scratch, ['direct', 'relay']),
      },
      {
        name: 'added by a pair of sockets',
        unit: 'requests',
        run: (scratch) => medianRequest(scratch, ['direct', 'sockets']),
      },
    ],
    goals: [{ variant: 'added', figure: 'wall', atMost: 0.25 }],
  },
]

type Route = 'direct' | 'proxy'
type HttpRoute = Route | 'relay' | 'sockets'

/** An MCP server that responds immediately with a short line or with 50 MB. */
const serverSource = `
const large = Buffer.concat([
  Buffer.from('{"jsonrpc":"2.0","result":{"text":"'),
  Buffer.alloc(${largeBytes}, 'x'),
  Buffer.from('"},"id":"large"}\\n'),
])
let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id } = JSON.parse(line)
    process.stdout.write(id === 'large' ? large : '{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\n')
  }
})
`

/** A minimal HTTP relay: the cost of Node itself in place of a proxy. */
const relaySource = `
const http = require('node:http')
const agent = new http.Agent({ keepAlive: true })
const server = http.createServer((request, response) => {
  const { method, url: path, headers } = request
  const port = Number(process.argv[2])
  const outgoing = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ proxyUrl: 'http://127.0.0.1:' + server.address().port }))
})
`

/** A minimal byte relay: the cost of one more process. */
const socketsSource = `
const net = require('node:net')
const server = net.createServer({ noDelay: true }, (client) => {
  const port = Number(process.argv[2])
  const upstream = net.connect({ host: '127.0.0.1', port, noDelay: true })
  for (const [from, to] of [[client, upstream], [upstream, client]]) {
    from.on('data', (chunk) => to.write(chunk))
    from.on('error', () => {})
    from.on('close', () => to.destroy())
  }
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ proxyUrl: 'http://127.0.0.1:' + server.address().port }))
})
`

/** Function variants run in separate processes and receive only this folder. */
function prepare(scratch: string): void {
  writeFileSync(path.join(scratch, 'server.cjs'), serverSource)
  writeFileSync(path.join(scratch, 'relay.cjs'), relaySource)
  writeFileSync(path.join(scratch, 'sockets.cjs'), socketsSource)
  writeFileSync(path.join(scratch, 'repository'), path.resolve(process.argv[1] ?? '', '../..'))
}

async function medianCall(scratch: string, routes: readonly Route[]): Promise<Partial<Sample>> {
  const clients = await Promise.all(routes.map((route) => McpClient.start(scratch, route)))
  const ask = clients.map((client) => (id: number) => client.ask(String(id)))
  const medians = await medianTimes(ask)
  for (const client of clients) await client.end()
  return wallOf(medians)
}

async function largeRate(scratch: string, route: Route): Promise<number> {
  const began = performance.now()
  const client = await McpClient.start(scratch, route)
  await client.ask('1')
  const started = performance.now()
  for (let n = 0; n < largeMessages; n++) await client.ask('"large"')
  const seconds = (performance.now() - started) / 1000
  await client.end()
  const rate = (largeBytes * largeMessages) / 1e6 / seconds
  return (rate * (performance.now() - began)) / 1000
}

async function medianRequest(
  scratch: string,
  routes: readonly HttpRoute[],
): Promise<Partial<Sample>> {
  const server = createServer((request, response) => {
    request.resume()
    response.end('{"ok":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bare = routes.find((route) => route === 'relay' || route === 'sockets')
  const proxy = bare
    ? spawn(process.execPath, [path.join(scratch, `${bare}.cjs`), String(port)])
    : startZcl(scratch, ['http', 'proxy', '--upstream', `http://127.0.0.1:${port}`])
  const [printed] = (await once(proxy.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const { proxyUrl } = JSON.parse(printed.toString()) as { proxyUrl: string }
  const proxyPort = Number(new URL(proxyUrl).port)
  const ports = { direct: port, proxy: proxyPort, relay: proxyPort, sockets: proxyPort }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const medians = await medianTimes(routes.map((route) => () => sendRequest(ports[route], agent)))
  agent.destroy()
  proxy.kill('SIGTERM')
  await once(proxy, 'exit')
  server.close()
  server.closeAllConnections()
  return wallOf(medians)
}

function sendRequest(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/x', agent }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', reject)
  })
}

/** Alternates between the routes, so that load on the machine affects all of them. */
async function medianTimes(asks: readonly ((id: number) => Promise<void>)[]): Promise<number[]> {
  const times = asks.map(() => [] as number[])
  for (let id = 1; id <= warmUp + calls; id++) {
    for (const [index, ask] of asks.entries()) {
      const started = performance.now()
      await ask(id)
      if (id > warmUp) times[index]?.push(performance.now() - started)
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[each.length >> 1] ?? Number.NaN)
}

/** The median of a single route, or how much the second adds to the first. */
function wallOf([first = Number.NaN, second]: readonly number[]): Partial<Sample> {
  return { wallMs: second === undefined ? first : second - first }
}

class McpClient {
  readonly #child: ChildProcess
  #onAnswer: () => void = () => {}

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.at(-1) === 0x0a) this.#onAnswer()
    })
  }

  static async start(scratch: string, route: Route): Promise<McpClient> {
    const server = [process.execPath, path.join(scratch, 'server.cjs')]
    const [command = '', ...args] = server
    const client = new McpClient(
      route === 'proxy'
        ? startZcl(scratch, ['mcp', 'proxy', '--', ...server])
        : spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] }),
    )
    await client.ask('0')
    return client
  }

  /** `id` is JSON. */
  ask(id: string): Promise<void> {
    const params = '{"name":"echo","arguments":{"text":"hello"}}'
    const line = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`
    return new Promise((resolve) => {
      this.#onAnswer = resolve
      this.#child.stdin?.write(line)
    })
  }

  async end(): Promise<void> {
    this.#child.stdin?.end()
    await once(this.#child, 'exit')
  }
}

/** Starts zcl in a new attempt. */
function startZcl(scratch: string, args: readonly string[]): ChildProcess {
  const repository = readFileSync(path.join(scratch, 'repository'), 'utf8')
  const zcl = path.join(repository, 'packages/zcl/bin/zcl.cjs')
  const cwd = mkdtempSync(path.join(scratch, 'attempt-'))
  const script =
    'eval "$("$0" "$1" attempt start --suite bench --mission bench --print-env sh)"; exec "$0" "$@"'
  return spawn('sh', ['-c', script, process.execPath, zcl, ...args], {
    cwd,
    env: { ...process.env, HOME: cwd },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}
