// Pipes and sockets of zeno and of `zee ui`.
import type { ProtocolName } from './protocols.ts'
import type { Boundary, Stage } from './stage.ts'

const memoryMiB = 64
const boundMiB = memoryMiB + 200

/** Arguments that serve a folder with one text of 200 KB. */
function served(stage: Stage, ...args: string[]): string[] {
  stage.put('root/a.txt', 'one word\n'.repeat(20_000))
  return ['--root', stage.at('root'), '--memory', `${memoryMiB}M`, ...args]
}

const overHttp = (name: string, protocol: ProtocolName): Boundary => ({
  name,
  protocol,
  boundMiB,
  start: async (stage) => {
    const pid = stage.run('zeno', ['serve', ...served(stage, '--http', '127.0.0.1:0')])
    stage.connect(await stage.printed(/127\.0\.0\.1:(\d+)/))
    return pid
  },
})

export const zenoBoundaries: Boundary[] = [
  {
    name: 'zeno: standard input and output of serve',
    protocol: 'jsonl',
    boundMiB,
    start: async (stage) => stage.host('zeno', ['serve', ...served(stage)]),
  },
  {
    name: 'zeno: client of the socket',
    protocol: 'jsonl',
    boundMiB,
    start: async (stage) => {
      const socket = stage.at('zeno.sock')
      const pid = stage.run('zeno', ['serve', ...served(stage, '--socket', socket)])
      await stage.printed(/(listening)/)
      stage.connect(socket)
      return pid
    },
  },
  overHttp('zeno: HTTP client, JSON lines', 'jsonl-http-request'),
  overHttp('zeno: HTTP client, MCP', 'mcp-http-request'),
  {
    name: 'zeno: client of mcp',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) => stage.host('zeno', ['mcp', '--private', ...served(stage)]),
  },
  {
    name: 'zeno: provider of ask',
    protocol: 'anthropic',
    boundMiB,
    start: async (stage) => {
      const url = `http://127.0.0.1:${await stage.listen()}`
      const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key-0123456789abcdef' }
      stage.put('root/a.txt', 'one word\n')
      return stage.run('zeno', ['ask', '--root', stage.at('root'), 'where is the word?'], env)
    },
  },
  {
    name: 'zeno: database of the fleet',
    protocol: 'postgres',
    boundMiB,
    start: async (stage) => {
      const url = `postgresql://zeno@127.0.0.1:${await stage.listen()}/code`
      return stage.run('zeno', ['fleet', 'status', '--db', url])
    },
  },
  {
    name: 'zee: browser of ui',
    protocol: 'http-request',
    boundMiB: 200,
    start: async (stage) => {
      const pid = stage.run('zee', ['ui', '--no-open'])
      stage.connect(new URL(await stage.printed(/(http:\/\/\S+)/)).port)
      return pid
    },
  },
]
