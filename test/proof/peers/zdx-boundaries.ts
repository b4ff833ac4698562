// Pipes, sockets and children of zdx.
import type { ProtocolName } from './protocols.ts'
import type { Boundary, Stage } from './stage.ts'

const boundMiB = 300

const providers: readonly [string, ProtocolName, string][] = [
  ['anthropic', 'anthropic', 'ANTHROPIC'],
  ['openai', 'openai-chat', 'OPENAI'],
  ['openai-responses', 'openai-responses', 'OPENAI'],
  ['gemini', 'gemini', 'GEMINI'],
]

const provided: Boundary[] = providers.map(([provider, protocol, variable]) => ({
  name: `zdx: provider ${provider}`,
  protocol,
  boundMiB,
  start: async (stage) => {
    const url = `http://127.0.0.1:${await stage.listen()}`
    const env = { [`${variable}_BASE_URL`]: url, [`${variable}_API_KEY`]: 'key-0123456789abcdef' }
    return stage.run('zdx', ['--provider', provider, '--model', 'm', 'exec', '-p', 'hi'], env)
  },
}))

/** The peer receives the first packet of a TLS connection, or a request to connect to the provider. */
const secured = (
  name: string,
  protocol: ProtocolName,
  variable: string,
  scheme: string,
): Boundary => ({
  name: `zdx: ${name}`,
  protocol,
  boundMiB,
  start: async (stage) => {
    const env = { ANTHROPIC_API_KEY: 'key-0123456789abcdef' }
    const url = `${scheme}://127.0.0.1:${await stage.listen()}`
    const args = ['--provider', 'anthropic', '--model', 'm', 'exec', '-p', 'hi']
    return stage.run('zdx', args, { ...env, [variable]: url })
  },
})

/** `zdx exec` with a screenplay instead of a model. */
function scripted(stage: Stage, steps: object[], ...args: string[]): string[] {
  const play = stage.put('play.jsonl', steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  return ['--provider', 'script', '--model', play, ...args]
}

function withMcp(stage: Stage, lines: string): number {
  stage.put('zdx/config.toml', `tools = ["mcp:peer"]\n[mcp.peer]\n${lines}\n`)
  const args = scripted(stage, [{ text: 'ok' }], 'exec', '-p', 'hi')
  return stage.run('zdx', args, { ZDX_HOME: stage.at('zdx') })
}

export const zdxBoundaries: Boundary[] = [
  ...provided,
  secured('provider over TLS', 'plain', 'ANTHROPIC_BASE_URL', 'https'),
  secured('proxy of HTTPS', 'http-answer', 'HTTPS_PROXY', 'http'),
  {
    name: 'zdx: MCP server, stdio',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) => {
      const [command, ...args] = stage.peerCommand()
      return withMcp(stage, `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`)
    },
  },
  {
    name: 'zdx: MCP server, HTTP',
    protocol: 'mcp-http-answer',
    boundMiB,
    start: async (stage) => withMcp(stage, `url = "http://127.0.0.1:${await stage.listen()}/mcp"`),
  },
  {
    name: 'zdx: shell command',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const command = stage.peerCommand().map((word) => `'${word}'`)
      const call = { tool: 'bash', input: { command: command.join(' ') } }
      const args = scripted(stage, [call, { text: 'ok' }], 'exec', '-p', 'hi')
      return stage.run('zdx', args, { ZDX_HOME: stage.at('zdx') })
    },
  },
  {
    name: 'zdx: standard input of exec',
    protocol: 'plain',
    boundMiB,
    start: async (stage) => {
      const args = scripted(stage, [{ text: 'ok' }], 'exec', '-p', '-')
      return stage.host('zdx', args, { ZDX_HOME: stage.at('zdx') })
    },
  },
  {
    name: 'zdx: reader of the output of exec',
    protocol: 'plain',
    boundMiB,
    only: ['never reads'],
    start: async (stage) => {
      const steps = Array.from({ length: 100 }, () => ({ text: 'word '.repeat(20_000) }))
      const args = scripted(stage, steps, 'exec', '--format', 'json', '-p', 'hi')
      return stage.host('zdx', args, { ZDX_HOME: stage.at('zdx') })
    },
  },
  {
    name: 'zdx: editor (acp)',
    protocol: 'mcp',
    boundMiB,
    start: async (stage) =>
      stage.host('zdx', scripted(stage, [{ text: 'ok' }], 'acp'), { ZDX_HOME: stage.at('zdx') }),
  },
]
