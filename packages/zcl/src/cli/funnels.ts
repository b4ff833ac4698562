// The commands of the protocol funnels and of replay.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { attemptArgument, json, parseList } from './options.ts'
import { parseInject, parseListen, parseUpstream } from '../funnels/funnels.ts'

const command = commandFor({})

const proxyListen = {
  flags: '--listen <address>',
  summary: 'where to listen; port 0 takes a free one',
  default: '127.0.0.1:0',
  parse: parseListen,
} as const
const jsonInAnyCase = { flags: '--json', summary: 'what is printed is JSON in any case' } as const

export const mcp = command({
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
        '(-- <server> [args...] | --upstream <url> [--listen <address>])',
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
        upstream: {
          flags: '--upstream <url>',
          summary: 'a server on the network: http(s), ws(s) or tcp://host:port',
        },
        listen: {
          flags: '--listen <address>',
          summary: 'with --upstream: where to listen (127.0.0.1:0 unless said otherwise)',
        },
      },
      arguments: [{ name: 'server', summary: 'the server and its arguments', variadic: true }],
      examples: [
        { line: 'zcl mcp proxy -- node server.js', note: 'in the place of `node server.js`' },
        {
          line: 'zcl mcp proxy --upstream https://example.com/mcp',
          note: 'use the printed proxyUrl in its place',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../funnels/mcp/command.ts')).runMcpProxy(args, options, host),
    }),
    command({
      name: 'serve-trace',
      summary: 'Be the MCP server of a recorded attempt: its answers, from its trace',
      arguments: [attemptArgument],
      examples: [
        {
          line: 'zcl mcp proxy -- zcl mcp serve-trace <attemptDir>',
          note: "a new attempt against yesterday's tool",
        },
      ],
      run: async ({ args, host }) =>
        (await import('../funnels/mcp/serve-trace/command.ts')).runMcpServeTrace(args[0], host),
    }),
  ],
})

export const http = command({
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
        listen: proxyListen,
        maxRequests: {
          flags: '--max-requests <n>',
          summary: 'end after so many requests (0 for no limit)',
          parse: wholeNumber(0),
        },
        inject: {
          flags: '--inject <fault>',
          summary: 'latency=200ms,p=0.1 or status=503,p=0.2 or reset,p=0.05',
          repeatable: true,
          parse: parseInject,
        },
        injectSeed: {
          flags: '--inject-seed <n>',
          summary: 'the same faults for the same requests each time',
          parse: wholeNumber(0),
        },
        json: jsonInAnyCase,
      },
      examples: [
        {
          line: 'zcl http proxy --upstream https://api.example.com --max-requests 10',
          note: 'use the printed proxyUrl as the base URL',
        },
      ],
      run: async ({ options, host }) => {
        const { runHttpProxy } = await import('../funnels/http/command.ts')
        return runHttpProxy({ ...options, maxRequests: options.maxRequests || undefined }, host)
      },
    }),
    command({
      name: 'serve-trace',
      summary: 'Be the HTTP service of a recorded attempt: its answers, from its trace',
      options: {
        listen: proxyListen,
        json: jsonInAnyCase,
      },
      arguments: [attemptArgument],
      run: async ({ options, args, host }) =>
        (await import('../funnels/http/serve-trace/command.ts')).runHttpServeTrace(
          args[0],
          options,
          host,
        ),
    }),
  ],
})

export const replay = command({
  name: 'replay',
  summary: 'Show what of an attempt can be done again, or do it again',
  description:
    'Commands and MCP requests of the trace, in order. Nothing runs without --execute, and then ' +
    'only commands that are named with --allow. Never writes into the attempt. Exit 2 when a step ' +
    'fails or is refused; `matches` says whether it ended as it did then.',
  options: {
    execute: { flags: '--execute', summary: 'run the steps instead of listing them' },
    allow: {
      flags: '--allow <names>',
      summary: 'names of commands that may run, with commas',
      repeatable: true,
      parse: parseList,
    },
    allowAll: { flags: '--allow-all', summary: 'any command may run' },
    maxSteps: {
      flags: '--max-steps <n>',
      summary: 'stop after so many steps',
      parse: wholeNumber(0),
      default: '50',
    },
    stdin: { flags: '--stdin', summary: 'commands get our standard input instead of none' },
    json,
  },
  arguments: [attemptArgument],
  examples: [
    { line: 'zcl replay .zcl/runs/*/attempts/001-m-r1', note: 'what there is to do again' },
    { line: 'zcl replay --execute --allow git,ls --json <attemptDir>', note: 'do it' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../funnels/replay/command.ts')).runReplay(args[0], options, host),
})
