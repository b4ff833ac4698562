// Pipes, sockets and children of zcl.
import { runCommand } from '../../contract/run-here.ts'
import type { Boundary, Stage } from './stage.ts'

const boundMiB = 300

type Environment = Record<string, string>

/** Starts an attempt in the project; returns the variables that name it. */
async function attempt(stage: Stage): Promise<Environment> {
  const started = await runCommand(
    'zcl',
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json'],
    { cwd: stage.at('project'), env: { HOME: stage.at('home') } },
  )
  return (JSON.parse(started.stdout) as { env: Environment }).env
}

async function proxyTo(stage: Stage, kind: 'http' | 'mcp', upstream: string) {
  const pid = stage.run('zcl', [kind, 'proxy', '--upstream', upstream], await attempt(stage))
  const url = await stage.printed(/"proxyUrl":\s*"([^"]+)"/)
  return { pid, url: new URL(url) }
}

export const zclBoundaries: Boundary[] = [
  {
    name: 'zcl: command of run',
    protocol: 'plain',
    boundMiB,
    start: async (stage) =>
      stage.run('zcl', ['run', '--capture', '--', ...stage.peerCommand()], await attempt(stage)),
  },
  {
    name: 'zcl: standard input of run, and its output',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const program =
        'setInterval(() => process.stdout.write("x".repeat(65536)), 1); process.stdin.on("data", () => {})'
      const args = ['run', '--', process.execPath, '-e', program]
      return stage.host('zcl', args, await attempt(stage))
    },
  },
  {
    name: 'zcl: upstream of the HTTP proxy',
    protocol: 'http-answer',
    boundMiB,
    start: async (stage) => {
      const { pid, url } = await proxyTo(stage, 'http', `http://127.0.0.1:${await stage.listen()}`)
      stage.request(new URL('/x', url))
      return pid
    },
  },
  {
    name: 'zcl: upstream of the HTTP proxy over TLS',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const { pid, url } = await proxyTo(stage, 'http', `https://127.0.0.1:${await stage.listen()}`)
      stage.request(new URL('/x', url))
      return pid
    },
  },
  {
    name: 'zcl: client of the HTTP proxy',
    protocol: 'http-request',
    boundMiB,
    start: async (stage) => {
      const { pid, url } = await proxyTo(stage, 'http', await stage.honestServer())
      stage.connect(url.port)
      return pid
    },
  },
  {
    name: 'zcl: server of the MCP proxy, stdio',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) =>
      stage.run('zcl', ['mcp', 'proxy', '--', ...stage.peerCommand()], await attempt(stage)),
  },
  {
    name: 'zcl: client of the MCP proxy, stdio',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) => {
      const server = 'process.stdin.pipe(process.stdout)'
      const args = ['mcp', 'proxy', '--', process.execPath, '-e', server]
      return stage.host('zcl', args, await attempt(stage))
    },
  },
  {
    name: 'zcl: server of the MCP proxy, HTTP',
    protocol: 'mcp-http-answer',
    boundMiB,
    start: async (stage) => {
      const { pid, url } = await proxyTo(
        stage,
        'mcp',
        `http://127.0.0.1:${await stage.listen()}/mcp`,
      )
      stage.request(url, '{"jsonrpc":"2.0","id":1,"method":"ping"}')
      return pid
    },
  },
  {
    name: 'zcl: server of the MCP proxy over TLS',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const upstream = `https://127.0.0.1:${await stage.listen()}/mcp`
      const { pid, url } = await proxyTo(stage, 'mcp', upstream)
      stage.request(url, '{"jsonrpc":"2.0","id":1,"method":"ping"}')
      return pid
    },
  },
  {
    name: 'zcl: client of the MCP proxy, HTTP',
    protocol: 'mcp-http-request',
    boundMiB,
    start: async (stage) => {
      const { pid, url } = await proxyTo(stage, 'mcp', `${await stage.honestServer()}/mcp`)
      stage.connect(url.port)
      return pid
    },
  },
  {
    name: 'zcl: agent of a suite',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const missions = [{ missionId: 'one', prompt: 'do it' }]
      const suite = stage.put('project/suite.json', { suiteId: 's', missions })
      return stage.run('zcl', [
        'suite',
        'run',
        '--file',
        suite,
        '--json',
        '--',
        ...stage.peerCommand(),
      ])
    },
  },
  {
    name: 'zcl: Redis of suite run --queue',
    protocol: 'redis',
    boundMiB,
    start: async (stage) => {
      const missions = [{ missionId: 'one', prompt: 'do it' }]
      const suite = stage.put('project/suite.json', { suiteId: 's', missions })
      const queue = `redis://127.0.0.1:${await stage.listen()}`
      const args = ['suite', 'run', '--file', suite, '--json', '--queue', queue, '--', 'true']
      return stage.run('zcl', args)
    },
  },
  {
    name: 'zcl: browser of view --serve',
    protocol: 'http-request',
    boundMiB,
    start: async (stage) => {
      const { ZCL_OUT_DIR = '', ...env } = await attempt(stage)
      const pid = stage.run('zcl', ['view', '--serve', ZCL_OUT_DIR], env)
      stage.connect(new URL(await stage.printed(/(http:\/\/\S+)/)).port)
      return pid
    },
  },
]
