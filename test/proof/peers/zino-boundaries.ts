// Sockets, pipes and children of zino's services. Each service runs alone.
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { frame } from '../../contract/zino/wire.ts'
import type { Boundary, Stage } from './stage.ts'

const boundMiB = 200
const services = ['daemon', 'rtr', 'agr', 'sys', 'exc', 'mem', 'ctx', 'tmr'] as const
type Service = (typeof services)[number]

const socketOf = (stage: Stage, name: Service) => stage.at('r', `${name}.sock`)

/** Starts one service and waits until it listens. */
async function serve(stage: Stage, name: Service, base = 'http://127.0.0.1:9/v1', more = '') {
  const pid = stage.run('zino', [name, '--config', configuration(stage, base, more)])
  await stage.until(() => existsSync(socketOf(stage, name)))
  return pid
}

function configuration(stage: Stage, base: string, more: string): string {
  const sockets = services.map((name) => `[${name}]\nsocket = "${socketOf(stage, name)}"\n`)
  stage.put('project/SYSTEM.md', '%%TOOL_LIST%%')
  stage.put('project/tools/bash.json', { meta: { executor: 'bash', file_extension: '.sh' } })
  stage.put('project/skills/none.txt', '')
  const api = `[api]\nbase_url = "${base}"\nkey = "sk-0123456789"\n[service]\nmodel = "m"\n`
  return stage.put('project/ZINO.toml', api + sockets.join('') + more)
}

/** Sends one packet and reads what comes back. */
function send(stage: Stage, name: Service, request: object): void {
  const socket = net.connect(socketOf(stage, name))
  socket.on('error', () => {}).resume()
  socket.write(frame(request))
  stage.closeWith(() => socket.destroy())
}

const clients = services.map((name): Boundary => ({
  name: `zino: client of ${name}`,
  protocol: 'frames',
  boundMiB,
  start: async (stage) => {
    const pid = await serve(stage, name)
    stage.connect(socketOf(stage, name))
    return pid
  },
}))

export const zinoBoundaries: Boundary[] = [
  ...clients,
  {
    name: 'zino: provider',
    protocol: 'openai-chat',
    boundMiB,
    start: async (stage) => {
      const pid = await serve(stage, 'rtr', `http://127.0.0.1:${await stage.listen()}/v1`)
      send(stage, 'rtr', {
        type: 'infer',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
      })
      return pid
    },
  },
  {
    name: 'zino: provider over TLS',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const pid = await serve(stage, 'rtr', `https://127.0.0.1:${await stage.listen()}/v1`)
      send(stage, 'rtr', { type: 'infer', messages: [{ role: 'user', content: 'hi' }] })
      return pid
    },
  },
  {
    name: 'zino: script of a tool',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const pid = await serve(stage, 'exc')
      const code = stage
        .peerCommand()
        .map((word) => `'${word}'`)
        .join(' ')
      send(stage, 'exc', { type: 'execute', executor: 'bash', code })
      return pid
    },
  },
  {
    name: 'zino: MCP server',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) => {
      const [command, ...args] = stage.peerCommand()
      const more = `[mcp.peer]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
      const pid = await serve(stage, 'exc', undefined, more)
      send(stage, 'exc', { type: 'mcp_tools' })
      return pid
    },
  },
  {
    name: 'zino: client of mcp',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) =>
      stage.host('zino', ['mcp', '--config', configuration(stage, 'http://127.0.0.1:9/v1', '')]),
  },
  {
    name: 'zino: HTTP client',
    protocol: 'chat-http-request',
    boundMiB,
    start: async (stage) => {
      const more = '[http]\nport = 0\ntoken_file = "token"\n'
      const config = configuration(stage, 'http://127.0.0.1:9/v1', more)
      const pid = stage.run('zino', ['http', '--config', config])
      const port = await stage.printed(/listening at http:\/\/[^:]+:(\d+)/)
      stage.connect(port, readFileSync(stage.at('project/token'), 'utf8').trim())
      return pid
    },
  },
]
