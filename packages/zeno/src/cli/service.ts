// The commands that answer requests: serve, send and mcp.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { parseBudget } from '../budget/budget.ts'
import {
  denyOptions,
  fleetOptions,
  indexOptions,
  log,
  rootOptions,
  rootSettings,
  sharedServerOptions,
} from './options.ts'

const command = commandFor({})

const serviceOptions = {
  ...rootOptions,
  ...fleetOptions,
  log,
  hash: { flags: '--hash', summary: 'add sha256 to every slice that read_file and peek return' },
  budget: {
    flags: '--budget <limits>',
    summary:
      'limits for the whole session: one or more of ops, lines, hits, chars and tokens, as in ' +
      'ops=30,lines=2000 (a token is estimated as 4 characters)',
    parse: parseBudget,
  },
  maxAnswer: {
    flags: '--max-answer <bytes>',
    summary: 'maximum size of one answer; a longer one is cut and has a cursor',
    default: '2000000',
    parse: wholeNumber(256),
  },
  ...denyOptions,
} as const satisfies OptionTable

export const serve = command({
  name: 'serve',
  summary: 'Answer requests on standard input, one JSON object per line',
  description:
    'Reads one request per line from standard input and writes one answer per line to standard ' +
    'output, in the same order, until the input ends. Reads only below the root and never writes ' +
    'there.',
  options: {
    ...serviceOptions,
    ...indexOptions,
    socket: {
      flags: '--socket <path>',
      summary: 'serve many clients on this Unix socket; auto for the default path',
      complete: 'file',
    },
    http: {
      flags: '--http <address>',
      summary: 'serve many clients over HTTP: MCP at /mcp, JSON lines by POST at /jsonl',
    },
    httpHost: {
      flags: '--http-host <name>',
      summary: 'a further host name under which clients reach the HTTP server',
      repeatable: true,
    },
    concurrency: {
      flags: '--http-concurrency <n>',
      summary: 'requests of one HTTP client that run at a time; others wait',
      default: '16',
      parse: wholeNumber(1),
    },
    maxBody: {
      flags: '--http-body <bytes>',
      summary: 'maximum size of one HTTP request',
      default: '1000000',
      parse: wholeNumber(1),
    },
    idle: {
      flags: '--http-idle <seconds>',
      summary:
        'close an HTTP connection that is idle, or whose client does not read, after this time',
      default: '60',
      parse: wholeNumber(1),
    },
    tokens: {
      flags: '--tokens <file>',
      summary: 'a private TOML file of clients: [[tokens]] with token and roots',
      complete: 'file',
    },
  },
  examples: [
    {
      line: `echo '{"id":"1","op":"list_files","args":{"glob":"**/*.ts"}}' | zeno serve --root .`,
      note: 'one request, one answer',
    },
    {
      line: 'zeno serve --root . --log trace.jsonl --budget ops=30,lines=2000,hits=200',
      note: 'with a trace and a budget',
    },
    { line: 'zeno serve --root /var/log/syslog', note: 'one large file as the corpus' },
    {
      line: 'zeno serve --roots roots.toml --http 127.0.0.1:8080 --tokens tokens.toml',
      note: 'many clients over HTTP, each with its own roots',
    },
    {
      line: 'zeno serve --fleet postgresql://localhost/code',
      note: 'repositories that zeno fleet add stored',
    },
    { line: 'zeno serve --root app --root lib', note: 'two roots; paths are app:... and lib:...' },
  ],
  run: async ({ options, host }) =>
    (await import('../serve/command.ts')).runServe(
      { ...rootSettings(options), index: !options.noIndex },
      host,
    ),
})

export const send = command({
  name: 'send',
  summary: 'Send one request and print the answer',
  description:
    'Sends one request to the shared server of the root, or answers it in this process without one. ' +
    'Exits with 1 when the answer is an error.',
  options: {
    ...serviceOptions,
    ...sharedServerOptions,
    op: { flags: '--op <name>', summary: 'the operation' },
    args: { flags: '--args <json>', summary: 'its arguments, a JSON object' },
    request: {
      flags: '--request <json>',
      summary: 'a complete request instead of --op and --args',
    },
    id: { flags: '--id <id>', summary: 'the id of the request (default: req-<seconds>)' },
    pretty: { flags: '--pretty', summary: 'print the answer over several lines' },
  },
  examples: [
    {
      line: `zeno send --root . --op grep --args '{"pattern":"TODO"}' --pretty`,
      note: 'search the working folder',
    },
    {
      line: `zeno send --root . --request '{"id":"1","op":"stat","args":{"path":"README.md"}}'`,
      note: 'a request copied from a trace',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../people/send/command.ts')).runSend(
      { ...rootSettings(options), shared: !options.private },
      host,
    ),
})

export const mcp = command({
  name: 'mcp',
  summary: 'Serve the operations as MCP tools on standard input and output',
  options: { ...serviceOptions, ...indexOptions, ...sharedServerOptions },
  examples: [
    { line: 'claude mcp add zeno -- zeno mcp --root .', note: 'for Claude Code, in this project' },
    { line: 'zeno mcp --root . --log trace.jsonl', note: 'with a trace of every call' },
  ],
  run: async ({ options, host }) =>
    (await import('../mcp/command.ts')).runMcp(
      { ...rootSettings(options), index: !options.noIndex, shared: !options.private },
      host,
    ),
})
