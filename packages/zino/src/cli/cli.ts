// The command tree of zino: the only source for parsing, help, completions and the reference.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, internalGroup, program, wholeNumber } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { allServiceNames, commandNames, serviceSummary } from '../services/services.ts'
import { globals, json } from './globals.ts'
import { launcher } from './launcher.ts'
import { memory } from './memory.ts'
import { service } from './service.ts'
import { every, inbox, remind, timers } from './timers.ts'
import { receipts, replay } from './receipts.ts'

const command = commandFor(globals)

const up = command({
  name: 'up',
  summary: 'Start all services and keep them running',
  options: {
    detach: {
      flags: '-d, --detach',
      summary: 'run in the background; return when all services answer',
    },
    background: { flags: '--background', summary: 'write log files', hidden: true },
  },
  examples: [
    { line: 'zino up', note: 'in the foreground, logs on stderr' },
    { line: 'zino up --detach', note: 'in the background; zino logs, zino status, zino stop' },
  ],
  run: async ({ options, globals: { config }, host }) =>
    (await import('../supervisor/up/command.ts')).runUp({ config, launcher, ...options }, host),
})

const status = command({
  name: 'status',
  summary: 'Show the state, uptime and memory of each service',
  options: { json },
  run: async ({ options, globals: { config }, host }) =>
    (await import('../supervisor/status/command.ts')).runStatus(
      { config, json: options.json },
      host,
    ),
})

const stop = command({
  name: 'stop',
  summary: 'Stop the supervisor and its services',
  run: async ({ globals: { config }, host }) =>
    (await import('../supervisor/stop/command.ts')).runStop({ config }, host),
})

const restart = command({
  name: 'restart',
  summary: 'Restart one service; running turns continue',
  arguments: [{ name: 'service', summary: allServiceNames.join(', '), required: true }],
  examples: [{ line: 'zino restart mem', note: 'restart the memory service' }],
  run: async ({ args: [service = ''], globals: { config }, host }) =>
    (await import('../supervisor/restart/command.ts')).runRestart({ config, service }, host),
})

const reload = command({
  name: 'reload',
  summary: 'Read the configuration, tools and skills again',
  run: async ({ globals: { config }, host }) =>
    (await import('../supervisor/reload/command.ts')).runReload({ config }, host),
})

const logs = command({
  name: 'logs',
  summary: 'Show the logs of a detached zino',
  options: {
    follow: { flags: '-f, --follow', summary: 'print new lines as they are written' },
    lines: {
      flags: '-n, --lines <n>',
      summary: 'number of lines from the end',
      default: '200',
      parse: wholeNumber(1),
    },
  },
  arguments: [{ name: 'service', summary: 'service whose log to show (default: all)' }],
  run: async ({ options, args, globals: { config }, host }) =>
    (await import('../supervisor/logs/command.ts')).runLogs(
      { config, service: args[0], ...options },
      host,
    ),
})

const chatOptions = {
  stream: { flags: '-s, --stream', summary: 'print the answer as it arrives' },
  channel: {
    flags: '--channel <id>',
    summary: 'channel to read and continue (also -ch <id>)',
  },
  resume: {
    flags: '--resume <turn>',
    summary: 'print the rest of an interrupted turn, or its answer',
  },
  background: {
    flags: '--background',
    summary: 'return at once; the answer comes to the inbox',
  },
} as const satisfies OptionTable

function chatCommand(name: string, summary: string) {
  return command({
    name,
    summary,
    description:
      'The message comes from the arguments, or from stdin. On a terminal, without arguments, an ' +
      'interactive conversation starts.',
    options: chatOptions,
    arguments: [
      { name: 'message', summary: 'the message; words are joined by spaces', variadic: true },
    ],
    examples: [
      { line: `zino ${name} -s "what is the load here?"`, note: 'print the answer as it arrives' },
      { line: `zino ${name} -ch work "and yesterday?"`, note: 'continue a channel' },
    ],
    run: async ({ options, args: words, globals: { config }, host }) =>
      options.background
        ? (await import('../timers/command.ts')).chatInBackground(
            { words, config, ...options },
            host,
          )
        : (await import('../chat/command.ts')).runChat({ words, config, ...options }, host),
  })
}

const approve = command({
  name: 'approve',
  summary: 'Allow a tool call that waits for approval; without an id, list the waiting calls',
  options: {
    json,
    deny: { flags: '--deny', summary: 'refuse the call' },
  },
  arguments: [{ name: 'id', summary: 'the id of the call' }],
  examples: [
    { line: 'zino approve', note: 'list the calls that wait' },
    { line: 'zino approve 1f2e3d4c --deny', note: 'refuse one of them' },
  ],
  run: async ({ options, args: [id], globals: { config }, host }) =>
    (await import('../approve/command.ts')).runApprove({ config, id, ...options }, host),
})

const init = command({
  name: 'init',
  summary: 'Create a configuration, a system prompt, tools and skills',
  options: {
    force: { flags: '--force', summary: 'overwrite existing files' },
    sockets: {
      flags: '--sockets <dir>',
      summary: 'socket folder (default: $XDG_RUNTIME_DIR/zino, else DIR/run)',
      complete: 'folder',
    },
    provider: {
      flags: '--provider <name>',
      summary: 'anthropic, openai, gemini, openrouter, ollama, lmstudio or llamacpp',
    },
    baseUrl: { flags: '--base-url <url>', summary: 'OpenAI-compatible endpoint' },
    model: { flags: '--model <name>', summary: 'model name' },
    script: {
      flags: '--script <file>',
      summary: 'play this screenplay instead of calling a model',
      complete: 'file',
    },
  },
  arguments: [
    { name: 'dir', summary: 'folder (default: $XDG_CONFIG_HOME/zino)', complete: 'folder' },
  ],
  examples: [
    { line: 'zino init && zino up', note: 'with a model server on this machine' },
    { line: 'zino init --provider anthropic --model claude-sonnet-4-5', note: 'with an API key' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../init/command.ts')).runInit({ folder: args[0], ...options }, host),
})

const trust = command({
  name: 'trust',
  summary: 'Trust a ZINO.toml in the working directory until it changes',
  options: { remove: { flags: '--remove', summary: 'take the trust back' } },
  arguments: [{ name: 'file', summary: 'the file (default: ./ZINO.toml)', complete: 'file' }],
  run: async ({ options, args: [file], host }) =>
    (await import('../trust/command.ts')).runTrust({ file, ...options }, host),
})

const http = command({
  name: 'http',
  summary: 'Serve an OpenAI-compatible API and a chat page on the loopback interface',
  options: {
    host: { flags: '--host <address>', summary: 'address to listen at (default: [http] host)' },
    port: {
      flags: '--port <n>',
      summary: 'port; 0 takes a free one (default: [http] port)',
      parse: wholeNumber(0, 65_535),
    },
    tokenFile: {
      flags: '--token-file <file>',
      summary: 'file with the bearer token (default: [http] token_file)',
      complete: 'file',
    },
  },
  examples: [{ line: 'zino http', note: 'print the address and the file with the token' }],
  run: async ({ options, globals: { config }, host }) =>
    (await import('../http/command.ts')).runHttp({ config, ...options }, host),
})

const doctor = command({
  name: 'doctor',
  summary: 'Check the configuration, the model, the services and the memory',
  options: { json },
  run: async ({ options, globals: { config }, host }) =>
    (await import('../doctor/command.ts')).runDoctor({ config, ...options }, host),
})

const mcp = command({
  name: 'mcp',
  summary: 'Serve memory search, memory add and the inbox to other agents over MCP (stdio)',
  examples: [
    { line: 'claude mcp add zino -- zino mcp', note: 'give Claude Code the memory of zino' },
  ],
  run: async ({ globals: { config }, host }) =>
    (await import('../mcp/command.ts')).runMcp({ config }, host),
})

const services = commandNames.map((name) =>
  command({
    name,
    summary: serviceSummary(name),
    options: {
      supervised: {
        flags: '--supervised',
        summary: 'exit when the supervisor exits',
        hidden: true,
      },
    },
    run: async ({ options: { supervised }, globals: { config }, host }) =>
      (await import('../services/command.ts')).runService({ name, config, supervised }, host),
  }),
)

export const tree = program({
  name: 'zino',
  version: manifest.version,
  summary:
    'A long-running local agent with memory: seven small services and a command-line client.',
  options: globals,
  commands: [
    up,
    status,
    stop,
    restart,
    reload,
    logs,
    chatCommand('chat', 'Send a message and print the answer'),
    chatCommand('cli', 'Alias of chat'),
    memory,
    http,
    mcp,
    approve,
    doctor,
    remind,
    every,
    timers,
    inbox,
    receipts,
    replay,
    init,
    service,
    trust,
    ...services,
  ],
  groups: {
    'Talk and remember': ['chat', 'cli', 'memory', 'approve'],
    'Set times': ['remind', 'every', 'timers', 'inbox'],
    'Run the services': ['up', 'status', 'stop', 'restart', 'reload', 'logs'],
    'Serve other programs': ['http', 'mcp'],
    'Check what was done': ['receipts', 'replay'],
    'Set up': ['init', 'service', 'trust', 'doctor', 'completion'],
    [internalGroup]: allServiceNames.filter((name) => name !== 'http'),
  },
  examples: [
    { line: 'zino init && zino up --detach', note: 'create a configuration and start zino' },
    { line: 'zino chat -s "hello"', note: 'send a message' },
  ],
})
