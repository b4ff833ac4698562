// The commands of the protocol funnels and of replay.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { attemptArgument, attemptOption, injectOptions, json, parseList } from './options.ts'
import { parseListen, parseUpstream } from '../funnels/funnels.ts'
import { usageError } from '@zee/core/errors'
import { ownLauncher } from '../programs/programs.ts'

const command = commandFor({})

const proxyListen = {
  flags: '--listen <address>',
  summary: 'address to listen on; port 0 picks a free port',
  default: '127.0.0.1:0',
  parse: parseListen,
} as const
const jsonInAnyCase = {
  flags: '--json',
  summary: 'accepted for consistency; the output is always JSON',
} as const

export const mcp = command({
  name: 'mcp',
  summary: 'Record the MCP calls of an agent',
  commands: [
    command({
      name: 'proxy',
      summary: 'Proxy an MCP server and record every call',
      description:
        'Starts the server and passes its standard streams through, byte for byte. Records one ' +
        'trace event per answered request. Exits with the code of the server; 124 after a ' +
        'deadline or idle timeout, 2 at the limit of tool calls, 126 or 127 when the server ' +
        'cannot be started.',
      usage:
        '[--max-tool-calls <n>] [--idle-timeout-ms <n>] [--shutdown-on-complete] [--sequential] ' +
        '(-- <server> [args...] | --upstream <url> [--listen <address>])',
      options: {
        maxToolCalls: {
          flags: '--max-tool-calls <n>',
          summary: 'stop after <n> tools/call requests; 0 allows none (ZCL_MCP_MAX_TOOL_CALLS)',
          parse: wholeNumber(0),
        },
        idleTimeoutMs: {
          flags: '--idle-timeout-ms <n>',
          summary: 'stop after <n> ms without a message (ZCL_MCP_IDLE_TIMEOUT_MS)',
          parse: wholeNumber(0),
        },
        shutdownOnComplete: {
          flags: '--shutdown-on-complete',
          summary: 'stop the server once the client has ended and every request is answered',
        },
        sequential: {
          flags: '--sequential',
          summary: 'forward a request only after the previous one is answered',
        },
        attempt: attemptOption,
        ...injectOptions,
        upstream: {
          flags: '--upstream <url>',
          summary: 'server on the network: http(s), ws(s) or tcp://host:port',
        },
        listen: {
          flags: '--listen <address>',
          summary: 'with --upstream: address to listen on (default 127.0.0.1:0)',
        },
      },
      arguments: [{ name: 'server', summary: 'the server and its arguments', variadic: true }],
      examples: [
        { line: 'zcl mcp proxy -- node server.js', note: 'use instead of `node server.js`' },
        {
          line: 'zcl mcp proxy --upstream https://example.com/mcp',
          note: 'then use the printed proxyUrl instead',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../funnels/mcp/command.ts')).runMcpProxy(args, options, host, ownLauncher()),
    }),
    command({
      name: 'serve-trace',
      summary: 'Serve the recorded MCP answers of an attempt',
      usage: '[attemptDir]',
      options: {
        plan: { flags: '--plan <file>', summary: 'serve the plan of a fork', hidden: true },
        attempt: { ...attemptOption, hidden: true },
      },
      arguments: [{ ...attemptArgument, variadic: true }],
      examples: [
        {
          line: 'zcl mcp proxy -- zcl mcp serve-trace <attemptDir>',
          note: 'run a new attempt against recorded answers',
        },
      ],
      run: async ({ options: { plan, attempt }, args, host }) => {
        const { runMcpServeTrace, serveMcpPlan } =
          await import('../funnels/mcp/serve-trace/command.ts')
        if (plan !== undefined) return serveMcpPlan({ plan, attempt }, args, host)
        if (args.length > 1) throw usageError('name one attempt')
        return runMcpServeTrace(args[0], host)
      },
    }),
  ],
})

export const http = command({
  name: 'http',
  summary: 'Record the HTTP requests of an agent',
  commands: [
    command({
      name: 'proxy',
      summary: 'Proxy an HTTP service and record every request',
      description:
        'Prints its address as one JSON document, then serves until SIGINT or SIGTERM, the ' +
        'deadline of the attempt (exit 124) or --max-requests. Streams requests and answers ' +
        'unchanged and tunnels upgraded connections.',
      options: {
        upstream: {
          flags: '--upstream <url>',
          summary: 'URL of the service',
          required: true,
          parse: parseUpstream,
        },
        listen: proxyListen,
        maxRequests: {
          flags: '--max-requests <n>',
          summary: 'stop after <n> requests; 0 allows none',
          parse: wholeNumber(0),
        },
        attempt: attemptOption,
        inject: {
          ...injectOptions.inject,
          summary: `${injectOptions.inject.summary}; also latency=200ms,p=0.1, status=503 and reset`,
        },
        injectSeed: injectOptions.injectSeed,
        tls: {
          flags: '--tls',
          summary: 'accept CONNECT for the upstream, with certificates of a local CA',
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
        return runHttpProxy({ ...options, maxRequests: options.maxRequests }, host)
      },
    }),
    command({
      name: 'serve-trace',
      summary: 'Serve the recorded HTTP answers of an attempt',
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
  summary: 'List the steps of an attempt that can be replayed, or replay them',
  description:
    'Replays commands and MCP requests of the trace, in order. Nothing runs without --execute, and ' +
    'then only commands named with --allow. Never writes into the attempt. Exits 0 when every step ' +
    'is as recorded, recorded failures included, and 2 when one differs or is refused.',
  options: {
    execute: { flags: '--execute', summary: 'run the steps instead of listing them' },
    verifyOnly: {
      flags: '--verify-only',
      summary: 'list what can be replayed; never run anything, even with --execute',
    },
    allow: {
      flags: '--allow <names>',
      summary: 'comma-separated names of commands that may run',
      repeatable: true,
      parse: parseList,
    },
    allowAll: { flags: '--allow-all', summary: 'allow every command' },
    maxSteps: {
      flags: '--max-steps <n>',
      summary: 'stop after <n> steps',
      parse: wholeNumber(0),
      default: '50',
    },
    stdin: { flags: '--stdin', summary: 'pass standard input to the commands' },
    json,
  },
  arguments: [attemptArgument],
  examples: [
    { line: 'zcl replay .zcl/runs/*/attempts/001-m-r1', note: 'list the steps' },
    { line: 'zcl replay --execute --allow git,ls --json <attemptDir>', note: 'run them' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../funnels/replay/command.ts')).runReplay(args[0], options, host),
})
