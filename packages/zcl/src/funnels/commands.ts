// The commands of the protocol funnels, of runner logs, of replay and of exports.
import { commandFor, wholeNumber, type Command } from '@zee/core/command-line'
import { runnerNames } from '@zee/evidence/runners/names'
import { parseInject } from './http/inject.ts'
import { parseListen, parseUpstream } from './http/proxy-address.ts'

const command = commandFor({})

const mcp = command({
  name: 'mcp',
  summary: 'Measure an agent at its MCP boundary',
  commands: [
    command({
      name: 'proxy',
      summary: 'Stand between an MCP client and a server and record every call',
      description:
        'Starts the server and passes its standard streams through, byte for byte. One line of ' +
        'evidence for each answered request. The exit code is that of the server; 124 when a ' +
        'deadline or silence ended it, 2 when the limit of tool calls did, 126 and 127 when it ' +
        'cannot be started.',
      usage:
        '[--max-tool-calls <n>] [--idle-timeout-ms <n>] [--shutdown-on-complete] [--sequential] ' +
        '-- <server> [args...]',
      options: {
        maxToolCalls: {
          flags: '--max-tool-calls <n>',
          summary: 'let so many tools/call requests through, then end (ZCL_MCP_MAX_TOOL_CALLS)',
          parse: wholeNumber(0),
        },
        idleTimeoutMs: {
          flags: '--idle-timeout-ms <n>',
          summary: 'end after so long without a message (ZCL_MCP_IDLE_TIMEOUT_MS)',
          parse: wholeNumber(0),
        },
        shutdownOnComplete: {
          flags: '--shutdown-on-complete',
          summary: 'end the server when the client has ended and all is answered',
        },
        sequential: {
          flags: '--sequential',
          summary: 'let a request through only when the one before it was answered',
        },
      },
      arguments: [{ name: 'server', summary: 'the server and its arguments', variadic: true }],
      examples: [
        { line: 'zcl mcp proxy -- node server.js', note: 'in the place of `node server.js`' },
      ],
      run: async ({ options, args, host }) =>
        (await import('./mcp/mcp-proxy.ts')).runMcpProxy(args, options, host),
    }),
  ],
})

const http = command({
  name: 'http',
  summary: 'Measure an agent at its HTTP boundary',
  commands: [
    command({
      name: 'proxy',
      summary: 'Stand before an HTTP service and record every request',
      description:
        'Prints where it listens as one JSON document, then serves until SIGINT or SIGTERM, the ' +
        'deadline of the attempt (exit 124) or the last of --max-requests. Requests and answers ' +
        'stream through unchanged; upgraded connections are tunnelled.',
      options: {
        upstream: {
          flags: '--upstream <url>',
          summary: 'the service that requests go to',
          required: true,
          parse: parseUpstream,
        },
        listen: {
          flags: '--listen <address>',
          summary: 'where to listen; port 0 takes a free one',
          default: '127.0.0.1:0',
          parse: parseListen,
        },
        maxRequests: {
          flags: '--max-requests <n>',
          summary: 'end after so many requests (0 for no limit)',
          parse: wholeNumber(0),
        },
        inject: {
          flags: '--inject <fault>',
          summary: 'latency=200ms,p=0.1 or status=503,p=0.2 or reset,p=0.05; may be repeated',
          repeatable: true,
          parse: parseInject,
        },
        injectSeed: {
          flags: '--inject-seed <n>',
          summary: 'the same faults for the same requests each time',
          parse: wholeNumber(0),
        },
        json: { flags: '--json', summary: 'what is printed is JSON in any case' },
      },
      examples: [
        {
          line: 'zcl http proxy --upstream https://api.example.com --max-requests 10',
          note: 'use the printed proxyUrl as the base URL',
        },
      ],
      run: async ({ options, host }) => {
        const { runHttpProxy } = await import('./http/http-proxy.ts')
        return runHttpProxy({ ...options, maxRequests: options.maxRequests || undefined }, host)
      },
    }),
  ],
})

const attemptArgument = {
  name: 'attemptDir',
  summary: "the attempt's folder; ZCL_OUT_DIR when left out",
  complete: 'folder',
} as const

const enrich = command({
  name: 'enrich',
  summary: "Add what the runner's own log says; it never changes a score",
  description:
    "Looks for the runner's log by the agent id of the attempt, then by its prompt, and writes " +
    'runner.ref.json and runner.metrics.json. What the log does not say is left out.',
  options: {
    runner: {
      flags: '--runner <name>',
      summary: 'which program ran the agent',
      choices: runnerNames,
      required: true,
    },
    rollout: { flags: '--rollout <file>', summary: 'the log itself', complete: 'file' },
    home: {
      flags: '--home <dir>',
      summary: 'HOME of this attempt alone: its newest log is the one',
      complete: 'folder',
    },
    json: { flags: '--json', summary: 'print one JSON document' },
  },
  arguments: [attemptArgument],
  examples: [{ line: 'zcl enrich --runner codex', note: 'for the attempt of this environment' }],
  run: async ({ options, args, host }) =>
    (await import('./enrich.ts')).runEnrich(args[0], options, host),
})

export const funnelCommands: readonly Command[] = [mcp, http, enrich]
