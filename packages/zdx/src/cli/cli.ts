// The command tree of zdx: the single source for parsing, help, completions and the reference.
import { commandFor, pageOptions, program } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { globals, rejectJson } from './globals.ts'
import { sessions, verifyOptions } from './sessions.ts'

export type { Globals } from './globals.ts'

const command = commandFor(globals)

const exec = command({
  name: 'exec',
  summary: 'Run one prompt and print the answer',
  description:
    'Runs one prompt with tools until the model ends its turn. The answer goes to stdout, everything ' +
    'else to stderr. Standard input is read only for -p -, --stdin or a lone -. @path in the prompt ' +
    'attaches a file.',
  arguments: [
    { name: 'prompt', summary: 'the prompt, instead of -p' },
    { name: '-', summary: 'the same as --stdin' },
  ],
  options: {
    prompt: {
      flags: '-p, --prompt <text>',
      summary: 'the prompt; - reads it from standard input',
    },
    stdin: {
      flags: '--stdin',
      summary: 'append standard input (at most 1 MiB) to the prompt',
    },
    verify: {
      flags: '--verify',
      summary: 'check the claims of the answer; exit 3 if one is contradicted or stale',
    },
    zclFeedback: {
      flags: '--zcl-feedback',
      summary: 'write the result as feedback to the zcl attempt in the environment',
    },
  },
  examples: [
    { line: 'zdx exec -p "why does the build fail?"', note: 'print the answer to one question' },
    { line: 'git diff | zdx exec "review this" --stdin', note: 'append standard input' },
    { line: 'zdx exec -c -p "now fix it"', note: 'continue the latest session' },
  ],
  run: async (call) => (await import('../exec/command.ts')).runExec(call),
})

const verify = command({
  name: 'verify',
  summary: 'Check the claims of the last answer against the record of its session',
  description:
    'Compares what the answer says was run, tested, created, changed or deleted with exit codes, printed ' +
    'counts and file changes of the session. Asks no model. Exits with 3 if a claim is contradicted or stale.',
  arguments: [
    { name: 'id', summary: 'the session, or a unique start of its id; by default the newest' },
  ],
  options: verifyOptions,
  examples: [{ line: 'zdx verify', note: 'check the latest answer in this project' }],
  run: async (call) => (await import('../verify/command.ts')).runVerify(call),
})

const models = command({
  name: 'models',
  summary: 'List the models of providers with a key and of local servers',
  arguments: [{ name: 'provider', summary: 'list this provider only' }],
  run: async (call) =>
    rejectJson('models', call) ?? (await import('../models/command.ts')).runModels(call),
})

const handoff = command({
  name: 'handoff',
  summary: 'Draft a handoff from a session: goal, prompt, files, tasks, commands',
  description:
    'Writes a Markdown draft to review and edit before use. It is built from the session alone; ' +
    'nothing is sent to a model unless --with-model or --start is given.',
  options: {
    goal: { flags: '--goal <text>', summary: 'the goal of the next session', required: true },
    fromSession: {
      flags: '--from-session <id>',
      summary: 'use this session instead of the newest of this project',
    },
    out: {
      flags: '--out <file>',
      summary: 'write to this file instead of stdout',
      complete: 'file',
    },
    start: {
      flags: '--start',
      summary: 'start a new session with the draft as its first prompt and print the answer',
    },
    withModel: { flags: '--with-model', summary: 'let the model write the starter prompt' },
  },
  examples: [
    { line: 'zdx handoff --goal "finish the parser" --out next.md', note: 'write a draft' },
    { line: 'zdx handoff --goal "finish the parser" --start', note: 'continue in a new session' },
  ],
  run: async (call) => (await import('../handoff/command.ts')).runHandoff(call),
})

const provider = { name: 'provider', summary: 'the provider of the key' } as const

const auth = command({
  name: 'auth',
  summary: 'Store, show and remove provider keys',
  commands: [
    command({
      name: 'login',
      summary: 'Store a key in the keyring: OpenRouter logs in by browser, others prompt',
      arguments: [provider],
      options: {
        stdin: { flags: '--stdin', summary: 'read the key from standard input' },
        insecureFile: {
          flags: '--insecure-file',
          summary: 'store the key in a file that only you can read, not in the keyring',
        },
        noBrowser: {
          flags: '--no-browser',
          summary: 'print the address of the login page without opening it',
        },
      },
      run: async (call) =>
        rejectJson('auth login', call) ?? (await import('../auth/command.ts')).runLogin(call),
    }),
    command({
      name: 'status',
      summary: 'Show where the key of each provider comes from',
      arguments: [provider],
      run: async (call) =>
        rejectJson('auth status', call) ?? (await import('../auth/command.ts')).runStatus(call),
    }),
    command({
      name: 'logout',
      summary: 'Remove a stored key',
      arguments: [provider],
      run: async (call) =>
        rejectJson('auth logout', call) ?? (await import('../auth/command.ts')).runLogout(call),
    }),
  ],
})

const server = { name: 'server', summary: 'a server of the configuration, or its URL' } as const

const mcp = command({
  name: 'mcp',
  summary: 'List MCP servers, log in to one, log out',
  commands: [
    command({
      name: 'list',
      summary: 'List the configured servers: name, program or URL, login',
      run: async (call) =>
        rejectJson('mcp list', call) ?? (await import('../mcp/command.ts')).runMcpList(call),
    }),
    command({
      name: 'login',
      summary: 'Log in to a server over HTTP, by browser or by a code on another device',
      description:
        'Finds the authorization server that the MCP server names, registers zdx there, and stores the ' +
        'tokens in a file that only you can read. Conversations use and refresh them.',
      arguments: [{ ...server, required: true }],
      options: {
        device: {
          flags: '--device',
          summary: 'show a code to enter on a page that any device can open',
        },
        noBrowser: {
          flags: '--no-browser',
          summary: 'print the address of the login page without opening it',
        },
      },
      examples: [{ line: 'zdx mcp login tracker', note: 'log in to the server [mcp.tracker]' }],
      run: async (call) =>
        rejectJson('mcp login', call) ?? (await import('../mcp/command.ts')).runMcpLogin(call),
    }),
    command({
      name: 'logout',
      summary: 'Remove the stored tokens of a server',
      arguments: [{ ...server, required: true }],
      run: async (call) =>
        rejectJson('mcp logout', call) ?? (await import('../mcp/command.ts')).runMcpLogout(call),
    }),
  ],
})

const config = command({
  name: 'config',
  summary: 'Locate, create and show the configuration',
  commands: [
    command({
      name: 'path',
      summary: 'Print the path of the configuration file, whether or not it exists',
      run: async (call) =>
        rejectJson('config path', call) ??
        (await import('../settings/config/command.ts')).runConfigPath(call),
    }),
    command({
      name: 'init',
      summary: 'Write a configuration file with the defaults',
      run: async (call) =>
        rejectJson('config init', call) ??
        (await import('../settings/config/command.ts')).runConfigInit(call),
    }),
    command({
      name: 'show',
      summary: 'Print every effective value and its origin',
      run: async (call) =>
        rejectJson('config show', call) ??
        (await import('../settings/config/command.ts')).runConfigShow(call),
    }),
  ],
})

const trust = command({
  name: 'trust',
  summary: 'Trust the configuration of this project (.zdx/config.toml)',
  description:
    'Keys of a project that can run something or send something elsewhere, such as hooks, mcp and ' +
    'providers, take effect only after this command. A changed file needs it again. Read the file first.',
  options: {
    revoke: { flags: '--revoke', summary: 'no longer trust it' },
    list: { flags: '--list', summary: 'list the trusted files' },
  },
  examples: [{ line: 'zdx trust', note: 'use the hooks of this project' }],
  run: async (call) =>
    rejectJson('trust', call) ?? (await import('../trust/command.ts')).runTrust(call),
})

const skills = command({
  name: 'skills',
  summary: 'Show the skills of this project and of the user',
  commands: [
    command({
      name: 'list',
      summary: 'List the skills offered to the model: name, file, description',
      run: async (call) => (await import('../skills/command.ts')).runSkillsList(call),
    }),
  ],
  run: async (call) => (await import('../skills/command.ts')).runSkillsList(call),
})

const view = command({
  name: 'view',
  summary: 'Show a session as a page',
  description:
    'Writes one self-contained HTML file that needs no network. Without --out it goes into the folder ' +
    'pages of zdx. With --serve the page is served at a private address of this machine and follows ' +
    'the session as it grows, until Ctrl+C.',
  arguments: [{ name: 'id', summary: 'the session; by default the newest of this project' }],
  options: pageOptions,
  examples: [
    { line: 'zdx view --open', note: 'open the newest session of this project in a browser' },
    { line: 'zdx view 550e8400 --serve', note: 'watch a session' },
  ],
  run: async (call) =>
    rejectJson('view', call) ?? (await import('../sessions/view/command.ts')).runView(call),
})

const acp = command({
  name: 'acp',
  summary: 'Serve an editor over the Agent Client Protocol on standard input and output',
  description:
    'Speaks the Agent Client Protocol (JSON-RPC, one message per line) until standard input ends. ' +
    'Sessions are saved as usual; diagnostics go to stderr.',
  examples: [
    { line: 'zdx acp --model claude-haiku-4-5', note: 'the command to configure in the editor' },
  ],
  run: async (call) => rejectJson('acp', call) ?? (await import('../acp/command.ts')).runAcp(call),
})

export const tree = program({
  name: 'zdx',
  version: manifest.version,
  summary: 'A coding agent for the terminal: streams answers, runs tools, saves sessions.',
  description:
    'A coding agent for the terminal. Without a command it starts a conversation; answers go to ' +
    'stdout, everything else to stderr.',
  options: globals,
  arguments: [{ name: 'prompt', summary: 'the first prompt of a conversation', variadic: true }],
  commands: [exec, sessions, view, verify, handoff, models, skills, auth, mcp, config, trust, acp],
  groups: {
    Work: ['exec', 'acp'],
    Sessions: ['sessions', 'view', 'verify', 'handoff'],
    'Set up': ['auth', 'mcp', 'models', 'config', 'trust', 'skills', 'completion'],
  },
  examples: [
    { line: 'zdx', note: 'start a conversation in this folder' },
    { line: 'zdx "fix the failing test"', note: 'start it with a first prompt' },
    { line: 'zdx exec -p "add a test for parse()"', note: 'run one task, then exit' },
    { line: 'zdx sessions resume', note: 'continue the latest session' },
    {
      line: 'zdx --provider script --model tour.jsonl exec -p hello',
      note: 'play a screenplay instead of calling a model',
    },
  ],
  run: async (call) => (await import('../chat/command.ts')).runConversation(call),
})
