// The command tree of zdx: the one source for parsing, help, completions and the reference.
import type { OptionTable, OptionValues } from '@zee/core/command-line'
import { commandFor, program, wholeNumber } from '@zee/core/command-line'
import manifest from '../package.json' with { type: 'json' }

const globals = {
  root: {
    flags: '--root <dir>',
    summary: 'working folder of the tools and the agent',
    default: '.',
    complete: 'folder',
  },
  systemPrompt: {
    flags: '--system-prompt <text>',
    summary: 'instructions in place of the configured ones; an empty text means none',
  },
  session: { flags: '--session <id>', summary: 'go on with this session, or begin it' },
  continue: { flags: '-c, --continue', summary: 'go on with the latest session' },
  noSave: { flags: '--no-save', summary: 'keep no session' },
  provider: {
    flags: '--provider <name>',
    summary: 'who is asked: anthropic, openai, gemini, openrouter, ollama, script, ...',
  },
  model: {
    flags: '--model <name>',
    summary: 'the model, also as provider:model; for script, the screenplay file',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    summary: 'the longest answer, in tokens',
    parse: wholeNumber(1),
  },
  thinking: {
    flags: '--thinking <level>',
    summary: 'how much the model thinks before it answers',
    choices: ['off', 'low', 'medium', 'high'],
  },
  tools: {
    flags: '--tools <names>',
    summary: 'the tools a model is offered, such as bash,edit,read,write,search,mcp:<server>',
    parse: (text: string) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
  },
  format: {
    flags: '--format <format>',
    summary: 'how answers are written to stdout',
    choices: ['text', 'json'],
    default: 'text',
  },
} as const satisfies OptionTable

export type Globals = OptionValues<typeof globals>

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
  run: async (call) => (await import('./exec.ts')).runExec(call),
})

const id = { name: 'id', summary: 'the session', required: true } as const

const sessions = command({
  name: 'sessions',
  summary: 'List, show, resume and manage sessions',
  description: 'Sessions are plain files, one JSON object a line. Without a command: list.',
  commands: [
    command({
      name: 'list',
      summary: 'List sessions, newest first: id, time, model, tokens, first prompt',
      run: async (call) => (await import('./sessions/list.ts')).runList(call),
    }),
    command({
      name: 'show',
      summary: 'Print a session as Markdown, long results cut',
      arguments: [id],
      examples: [
        { line: 'zdx sessions show 550e8400-e29b-41d4-a716-446655440000', note: 'read it again' },
      ],
      run: async (call) => (await import('./sessions/show.ts')).runShow(call),
    }),
    command({
      name: 'resume',
      summary: 'Go on with a session, the latest if none is named',
      arguments: [{ name: 'id', summary: 'the session' }],
      run: async (call) => (await import('./chat/chat.ts')).runResume(call),
    }),
    command({
      name: 'fork',
      summary: 'Copy a session into a new one and print its id',
      arguments: [id],
      options: {
        at: {
          flags: '--at <event>',
          summary: 'up to this event (a line of the session file)',
          parse: wholeNumber(1),
        },
      },
      run: async (call) => (await import('./sessions/manage.ts')).runFork(call),
    }),
    command({
      name: 'rename',
      summary: 'Give a session a title for the list',
      arguments: [id, { name: 'title', summary: 'the title', required: true }],
      run: async (call) => (await import('./sessions/manage.ts')).runRename(call),
    }),
    command({
      name: 'delete',
      summary: 'Remove a session and what was kept to undo it',
      arguments: [id],
      run: async (call) => (await import('./sessions/manage.ts')).runDelete(call),
    }),
    command({
      name: 'search',
      summary: 'Find sessions that speak of something',
      arguments: [{ name: 'text', summary: 'what to look for', required: true }],
      run: async (call) => (await import('./sessions/search.ts')).runSearch(call),
    }),
    command({
      name: 'export',
      summary: 'Write all of a session as Markdown, JSON lines or a page',
      arguments: [id],
      options: {
        format: {
          flags: '--format <format>',
          summary: 'md, json with numbered events, or html to look at',
          choices: ['md', 'json', 'html'],
          default: 'md',
        },
        out: {
          flags: '--out <file>',
          summary: 'write it to this file instead of stdout',
          complete: 'file',
        },
      },
      run: async (call) => (await import('./sessions/show.ts')).runExport(call),
    }),
    command({
      name: 'stats',
      summary: 'Add up tokens, time and cost per model',
      arguments: [{ name: 'id', summary: 'this session only' }],
      run: async (call) => (await import('./sessions/stats.ts')).runStats(call),
    }),
    command({
      name: 'diff',
      summary: 'Show what a session changed in files',
      arguments: [id],
      run: async (call) => (await import('./sessions/manage.ts')).runDiff(call),
    }),
    command({
      name: 'undo',
      summary: 'Take back what the last turn of a session did to files',
      description:
        'Restores the files as they were. Refused, with nothing touched, when one of them has ' +
        'changed since.',
      arguments: [id],
      options: {
        to: {
          flags: '--to <event>',
          summary: 'take back everything after this event (a line of the session file)',
          parse: wholeNumber(0),
        },
      },
      run: async (call) => (await import('./sessions/manage.ts')).runUndo(call),
    }),
  ],
  run: async (call) => (await import('./sessions/list.ts')).runList(call),
})

const models = command({
  name: 'models',
  summary: 'List what can be asked: providers with a key, local servers, their models',
  arguments: [{ name: 'provider', summary: 'this provider only' }],
  run: async (call) => (await import('./model/models-command.ts')).runModels(call),
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
  run: async (call) => (await import('./handoff/handoff-command.ts')).runHandoff(call),
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
      run: async (call) => (await import('./auth/auth-command.ts')).runLogin(call),
    }),
    command({
      name: 'status',
      summary: 'Say where the key of each provider comes from',
      arguments: [provider],
      run: async (call) => (await import('./auth/auth-command.ts')).runStatus(call),
    }),
    command({
      name: 'logout',
      summary: 'Remove a stored key',
      arguments: [provider],
      run: async (call) => (await import('./auth/auth-command.ts')).runLogout(call),
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
      run: async (call) => (await import('./settings/config-command.ts')).runConfigPath(call),
    }),
    command({
      name: 'init',
      summary: 'Write a configuration file with the defaults',
      run: async (call) => (await import('./settings/config-command.ts')).runConfigInit(call),
    }),
    command({
      name: 'show',
      summary: 'Print every effective value and where it comes from',
      run: async (call) => (await import('./settings/config-command.ts')).runConfigShow(call),
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
  run: async (call) => (await import('./acp/acp-command.ts')).runAcp(call),
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
  run: async (call) => (await import('./chat/chat.ts')).runChat(call),
})
