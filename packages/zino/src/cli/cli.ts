// The command tree of zino: the one source for parsing, help, completions and the reference.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, program, wholeNumber } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import type { ServiceName } from '../services/services.ts'
import { serviceNames } from '../services/services.ts'
import { globals, json } from './globals.ts'
import { launcher } from './launcher.ts'
import { memory } from './memory.ts'

const command = commandFor(globals)

const up = command({
  name: 'up',
  summary: 'Start all seven services and keep them running',
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
  summary: 'Show which services run, since when and how large they are',
  options: { json },
  run: async ({ options, globals: { config }, host }) =>
    (await import('../supervisor/status/command.ts')).runStatus(
      { config, json: options.json },
      host,
    ),
})

const stop = command({
  name: 'stop',
  summary: 'Stop what zino up has started',
  run: async ({ globals: { config }, host }) =>
    (await import('../supervisor/stop/command.ts')).runStop({ config }, host),
})

const logs = command({
  name: 'logs',
  summary: 'Show the logs of a detached zino',
  options: {
    follow: { flags: '-f, --follow', summary: 'go on with what is written from now on' },
    lines: {
      flags: '-n, --lines <n>',
      summary: 'how many lines from the end',
      default: '200',
      parse: wholeNumber(1),
    },
  },
  arguments: [{ name: 'service', summary: 'one service; all of them unless given' }],
  run: async ({ options, args, globals: { config }, host }) =>
    (await import('../supervisor/logs/command.ts')).runLogs(
      { config, service: args[0], ...options },
      host,
    ),
})

const chatOptions = {
  stream: { flags: '-s, --stream', summary: 'print the answer while it is written' },
  channel: {
    flags: '--channel <id>',
    summary: 'channel whose history is used and continued (also -ch <id>)',
  },
} as const satisfies OptionTable

function chatCommand(name: string, summary: string) {
  return command({
    name,
    summary,
    description:
      'The message is the words given, else what comes on stdin. On a terminal without either a ' +
      'conversation begins.',
    options: chatOptions,
    arguments: [{ name: 'message', summary: 'the message; words are joined', variadic: true }],
    examples: [
      { line: `zino ${name} -s "what is the load here?"`, note: 'print the answer as it comes' },
      { line: `zino ${name} -ch work "and yesterday?"`, note: 'with the memory of a channel' },
    ],
    run: async ({ options, args: words, globals: { config }, host }) =>
      (await import('../chat/command.ts')).runChat({ words, config, ...options }, host),
  })
}

const init = command({
  name: 'init',
  summary: 'Write a configuration, a prompt, tools and skills to start with',
  options: {
    force: { flags: '--force', summary: 'write over files that are there' },
    sockets: {
      flags: '--sockets <dir>',
      summary: 'folder of the sockets; $XDG_RUNTIME_DIR/zino or DIR/run unless given',
      complete: 'folder',
    },
    provider: {
      flags: '--provider <name>',
      summary: 'anthropic, openai, gemini, openrouter, ollama, lmstudio or llamacpp',
    },
    baseUrl: { flags: '--base-url <url>', summary: 'OpenAI-compatible endpoint' },
    model: { flags: '--model <name>', summary: 'name of the model' },
    script: {
      flags: '--script <file>',
      summary: 'play this screenplay instead of asking a model',
      complete: 'file',
    },
  },
  arguments: [
    { name: 'dir', summary: 'folder; $XDG_CONFIG_HOME/zino unless given', complete: 'folder' },
  ],
  examples: [
    { line: 'zino init && zino up', note: 'with a model server on this machine' },
    { line: 'zino init --provider anthropic --model claude-sonnet-4-5', note: 'with an API key' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../init/command.ts')).runInit({ folder: args[0], ...options }, host),
})

const serviceSummaries: Readonly<Record<ServiceName, string>> = {
  daemon: 'Run the entrance: takes messages and puts everything together',
  rtr: 'Run the router: asks the model',
  agr: 'Run the agent loop: carries out what the model asks for',
  sys: 'Run the system prompt service',
  exc: 'Run the execution service',
  mem: 'Run the memory service',
  ctx: 'Run the context service',
}

const services = serviceNames.map((name) =>
  command({
    name,
    summary: serviceSummaries[name],
    options: {
      supervised: { flags: '--supervised', summary: 'end with the supervisor', hidden: true },
    },
    run: async ({ options: { supervised }, globals: { config }, host }) =>
      (await import('../services/command.ts')).runService({ name, config, supervised }, host),
  }),
)

export const tree = program({
  name: 'zino',
  version: manifest.version,
  summary: 'An agent that stays: seven small services, one memory, a client for any shell.',
  options: globals,
  commands: [
    up,
    status,
    stop,
    logs,
    chatCommand('chat', 'Send a message and print the answer'),
    chatCommand('cli', 'The same as chat'),
    memory,
    init,
    ...services,
  ],
  examples: [
    { line: 'zino init && zino up --detach', note: 'set it up and start it' },
    { line: 'zino chat -s "hello"', note: 'talk to it from any shell' },
  ],
})
