// What it costs to stand between an agent and its tools: the MCP proxy and the HTTP proxy against the
// same calls without them. The wall time of single calls is that of the median one; `added` takes turns
// between both ways, call by call, and shows the difference of their medians.
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
    question: 'how much later does an MCP answer come through the proxy?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'records', run: (scratch) => medianCall(scratch, ['direct']) },
      { name: 'proxy', unit: 'records', run: (scratch) => medianCall(scratch, ['proxy']) },
      {
        name: 'added',
        unit: 'records',
        run: (scratch) => medianCall(scratch, ['direct', 'proxy']),
      },
    ],
    bars: [{ variant: 'added', figure: 'wall', atMost: 0.15 }],
  },
  {
    name: 'mcp-large',
    question: 'how fast do answers of 50 MB come through the MCP proxy?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'MB', run: (scratch) => largeRate(scratch, 'direct') },
      { name: 'proxy', unit: 'MB', run: (scratch) => largeRate(scratch, 'proxy') },
    ],
    bars: [{ variant: 'proxy', figure: 'rate', atLeast: 200 }],
  },
  {
    name: 'http-request',
    question: 'how much later does an HTTP answer come through the proxy?',
    repetitions: 3,
    prepare,
    variants: [
      { name: 'direct', unit: 'records', run: (scratch) => medianRequest(scratch, ['direct']) },
      { name: 'proxy', unit: 'records', run: (scratch) => medianRequest(scratch, ['proxy']) },
      {
        name: 'added',
        unit: 'records',
        run: (scratch) => medianRequest(scratch, ['direct', 'proxy']),
      },
      {
        name: 'added by a bare relay',
        unit: 'records',
        run: (scratch) => medianRequest(scratch, ['direct', 'relay']),
      },
      {
        name: 'added by a pair of sockets',
        unit: 'records',
        run: (scratch) => medianRequest(scratch, ['direct', 'sockets']),
      },
    ],
    bars: [{ variant: 'added', figure: 'wall', atMost: 0.25 }],
  },
]

type Way = 'direct' | 'proxy'
type HttpWay = Way | 'relay' | 'sockets'

/** An MCP server that answers at once: with a line, or with 50 MB. */
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

/** The least that passes requests on: what Node itself costs in the place of a proxy. */
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

/** The same for bytes: what it costs to be there at all. */
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

/** Functions run in processes of their own and know no more than this folder. */
function prepare(scratch: string): void {
  writeFileSync(path.join(scratch, 'server.cjs'), serverSource)
  writeFileSync(path.join(scratch, 'relay.cjs'), relaySource)
  writeFileSync(path.join(scratch, 'sockets.cjs'), socketsSource)
  writeFileSync(path.join(scratch, 'repository'), path.resolve(process.argv[1] ?? '', '../..'))
}

async function medianCall(scratch: string, ways: readonly Way[]): Promise<Partial<Sample>> {
  const clients = await Promise.all(ways.map((way) => McpClient.start(scratch, way)))
  const ask = clients.map((client) => (id: number) => client.ask(String(id)))
  const medians = await medianTimes(ask)
  for (const client of clients) await client.end()
  return wallOf(medians)
}

async function largeRate(scratch: string, way: Way): Promise<number> {
  const began = performance.now()
  const client = await McpClient.start(scratch, way)
  await client.ask('1')
  const started = performance.now()
  for (let n = 0; n < largeMessages; n++) await client.ask('"large"')
  const seconds = (performance.now() - started) / 1000
  await client.end()
  const rate = (largeBytes * largeMessages) / 1e6 / seconds
  return (rate * (performance.now() - began)) / 1000
}

async function medianRequest(scratch: string, ways: readonly HttpWay[]): Promise<Partial<Sample>> {
  const server = createServer((request, response) => {
    request.resume()
    response.end('{"ok":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bare = ways.find((way) => way === 'relay' || way === 'sockets')
  const proxy = bare
    ? spawn(process.execPath, [path.join(scratch, `${bare}.cjs`), String(port)])
    : startZcl(scratch, ['http', 'proxy', '--upstream', `http://127.0.0.1:${port}`])
  const [printed] = (await once(proxy.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const { proxyUrl } = JSON.parse(printed.toString()) as { proxyUrl: string }
  const between = Number(new URL(proxyUrl).port)
  const ports = { direct: port, proxy: between, relay: between, sockets: between }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const medians = await medianTimes(ways.map((way) => () => fetched(ports[way], agent)))
  agent.destroy()
  proxy.kill('SIGTERM')
  await once(proxy, 'exit')
  server.close()
  server.closeAllConnections()
  return wallOf(medians)
}

function fetched(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/x', agent }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', reject)
  })
}

/** The ways take turns, so that a busy moment hits all of them. */
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

/** Of the only way, or what the second adds to the first. */
function wallOf([first = Number.NaN, second]: readonly number[]): Partial<Sample> {
  return { wallMs: second === undefined ? first : second - first }
}

class McpClient {
  readonly #child: ChildProcess
  #answered: () => void = () => {}

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.at(-1) === 0x0a) this.#answered()
    })
  }

  static async start(scratch: string, way: Way): Promise<McpClient> {
    const server = [process.execPath, path.join(scratch, 'server.cjs')]
    const [command = '', ...args] = server
    const client = new McpClient(
      way === 'proxy'
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
      this.#answered = resolve
      this.#child.stdin?.write(line)
    })
  }

  async end(): Promise<void> {
    this.#child.stdin?.end()
    await once(this.#child, 'exit')
  }
}

/** With an attempt of its own. */
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
