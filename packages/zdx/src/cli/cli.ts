// The command tree of zdx: the one source for parsing, help, completions and the reference.
import { commandFor, program } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { globals } from './globals.ts'
import { sessions } from './sessions.ts'

export type { Globals } from './globals.ts'

const command = commandFor(globals)

const exec = command({
  name: 'exec',
  summary: 'Run one prompt and print the answer',
  description:
    'Runs one prompt with tools until the model is done. The answer goes to stdout, everything ' +
    'else to stderr. Standard input is read only for -p -.',
  options: {
    prompt: {
      flags: '-p, --prompt <text>',
      summary: 'the prompt; - reads it from standard input',
      required: true,
    },
    zclFeedback: {
      flags: '--zcl-feedback',
      summary: 'tell the zcl attempt of the environment how it ended',
    },
  },
  examples: [
    { line: 'zdx exec -p "why does the build fail?"', note: 'one question, the answer on stdout' },
    { line: 'git diff | zdx exec -p -', note: 'the prompt comes from standard input' },
    { line: 'zdx exec -c -p "now fix it"', note: 'goes on with the latest session' },
  ],
  run: async (call) => (await import('../exec/command.ts')).runExec(call),
})

const models = command({
  name: 'models',
  summary: 'List what can be asked: providers with a key, local servers, their models',
  arguments: [{ name: 'provider', summary: 'this provider only' }],
  run: async (call) => (await import('../models/command.ts')).runModels(call),
})

const handoff = command({
  name: 'handoff',
  summary: 'Draft a fresh start from a session: goal, prompt, files, tasks, commands',
  description:
    'Writes Markdown that is meant to be read and edited before use. Made from the session alone; ' +
    'nothing is sent anywhere unless --with-model is given.',
  options: {
    goal: { flags: '--goal <text>', summary: 'what the next session is for', required: true },
    fromSession: { flags: '--from-session <id>', summary: 'this session instead of the latest' },
    out: {
      flags: '--out <file>',
      summary: 'write it to this file instead of stdout',
      complete: 'file',
    },
    withModel: { flags: '--with-model', summary: 'let the model write the starter prompt' },
  },
  examples: [{ line: 'zdx handoff --goal "finish the parser" --out next.md', note: 'a draft' }],
  run: async (call) => (await import('../handoff/command.ts')).runHandoff(call),
})

const provider = { name: 'provider', summary: 'whose key' } as const

const auth = command({
  name: 'auth',
  summary: 'Store, show and remove keys of providers',
  commands: [
    command({
      name: 'login',
      summary: 'Store a key in the keyring: OpenRouter by browser, others by prompt',
      arguments: [provider],
      options: {
        stdin: { flags: '--stdin', summary: 'read the key from standard input' },
        insecureFile: {
          flags: '--insecure-file',
          summary: 'store it in a file that only you can read, not in the keyring',
        },
        noBrowser: { flags: '--no-browser', summary: 'print the address of the login page only' },
      },
      run: async (call) => (await import('../auth/command.ts')).runLogin(call),
    }),
    command({
      name: 'status',
      summary: 'Say where the key of each provider comes from',
      arguments: [provider],
      run: async (call) => (await import('../auth/command.ts')).runStatus(call),
    }),
    command({
      name: 'logout',
      summary: 'Remove a stored key',
      arguments: [provider],
      run: async (call) => (await import('../auth/command.ts')).runLogout(call),
    }),
  ],
})

const config = command({
  name: 'config',
  summary: 'Find, make and show the configuration',
  commands: [
    command({
      name: 'path',
      summary: 'Print where the configuration file is, or would be',
      run: async (call) => (await import('../settings/config/command.ts')).runConfigPath(call),
    }),
    command({
      name: 'init',
      summary: 'Write a configuration file with the defaults',
      run: async (call) => (await import('../settings/config/command.ts')).runConfigInit(call),
    }),
    command({
      name: 'show',
      summary: 'Print every effective value and where it comes from',
      run: async (call) => (await import('../settings/config/command.ts')).runConfigShow(call),
    }),
  ],
})

const acp = command({
  name: 'acp',
  summary: 'Let an editor drive zdx: the Agent Client Protocol on standard input and output',
  description:
    'Speaks the Agent Client Protocol (JSON-RPC, one message a line) until standard input ends. ' +
    'Sessions are ordinary ones; messages for people go to stderr.',
  examples: [{ line: 'zdx acp --model claude-haiku-4-5', note: 'what an editor is told to run' }],
  run: async (call) => (await import('../acp/command.ts')).runAcp(call),
})

export const tree = program({
  name: 'zdx',
  version: manifest.version,
  summary: 'A coding agent for the terminal: streams, uses tools, keeps sessions.',
  description:
    'A coding agent for the terminal. Without a command it opens a conversation; answers go to ' +
    'stdout, everything else to stderr.',
  options: globals,
  commands: [exec, sessions, handoff, models, auth, config, acp],
  examples: [
    { line: 'zdx', note: 'a conversation in this folder' },
    { line: 'zdx exec -p "add a test for parse()"', note: 'one task, then exit' },
    { line: 'zdx sessions resume', note: 'go on where you left off' },
    {
      line: 'zdx --provider script --model tour.jsonl exec -p hello',
      note: 'play a screenplay instead of asking a model',
    },
  ],
  run: async (call) => (await import('../chat/chat.ts')).runChat(call),
})
