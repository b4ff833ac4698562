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
    summary: 'the model, or the screenplay of the script provider',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    summary: 'the longest answer, in tokens',
    parse: wholeNumber(1),
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
  },
  examples: [
    { line: 'zdx exec -p "why does the build fail?"', note: 'one question, the answer on stdout' },
    { line: 'git diff | zdx exec -p -', note: 'the prompt comes from standard input' },
    { line: 'zdx exec -c -p "now fix it"', note: 'goes on with the latest session' },
  ],
  run: async (call) => (await import('./exec.ts')).runExec(call),
})

const list = command({
  name: 'list',
  summary: 'List sessions, newest first',
  run: async (call) => (await import('./sessions.ts')).runList(call),
})

const show = command({
  name: 'show',
  summary: 'Print a session as Markdown',
  arguments: [{ name: 'id', summary: 'the session', required: true }],
  examples: [{ line: 'zdx sessions show 550e8400-e29b-41d4-a716-446655440000', note: 'all of it' }],
  run: async (call) => (await import('./sessions.ts')).runShow(call),
})

const resume = command({
  name: 'resume',
  summary: 'Go on with a session, the latest if none is named',
  arguments: [{ name: 'id', summary: 'the session' }],
  run: async (call) => (await import('./chat.ts')).runResume(call),
})

const sessions = command({
  name: 'sessions',
  summary: 'List, show and resume sessions',
  commands: [list, show, resume],
  run: async (call) => (await import('./sessions.ts')).runList(call),
})

const config = command({
  name: 'config',
  summary: 'Find, make and show the configuration',
  commands: [
    command({
      name: 'path',
      summary: 'Print where the configuration file is, or would be',
      run: async (call) => (await import('./config-command.ts')).runConfigPath(call),
    }),
    command({
      name: 'init',
      summary: 'Write a configuration file with the defaults',
      run: async (call) => (await import('./config-command.ts')).runConfigInit(call),
    }),
    command({
      name: 'show',
      summary: 'Print every effective value and where it comes from',
      run: async (call) => (await import('./config-command.ts')).runConfigShow(call),
    }),
  ],
})

export const tree = program({
  name: 'zdx',
  version: manifest.version,
  summary: 'A coding agent for the terminal: streams, uses tools, keeps sessions.',
  description:
    'A coding agent for the terminal. Without a command it opens a conversation; answers go to ' +
    'stdout, everything else to stderr.',
  options: globals,
  commands: [exec, sessions, config],
  examples: [
    { line: 'zdx', note: 'a conversation in this folder' },
    { line: 'zdx exec -p "add a test for parse()"', note: 'one task, then exit' },
    { line: 'zdx sessions resume', note: 'go on where you left off' },
    {
      line: 'zdx --provider script --model tour.jsonl exec -p hello',
      note: 'play a screenplay instead of asking a model',
    },
  ],
  run: async (call) => (await import('./chat.ts')).runChat(call),
})
