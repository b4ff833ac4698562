// The command tree of zee: the single source for parsing, help, completions and the reference.
import { commandFor, program, wholeNumber } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }

const command = commandFor({})

const json = { flags: '--json', summary: 'print JSON instead of text' } as const

const doctor = command({
  name: 'doctor',
  summary: 'Check that the programs can work here, and say what to do',
  description:
    'Checks Node, the programs, keys, local model servers, zino, folders, the sandbox and the ' +
    'terminal. Each line says ok or what to do. Keys are reported as present or absent, never shown. ' +
    'Exits 1 when something blocks.',
  options: { json },
  examples: [{ line: 'zee doctor', note: 'check this machine' }],
  run: async ({ options, host }) => (await import('../doctor/command.ts')).runDoctor(options, host),
})

const tour = command({
  name: 'tour',
  summary: 'Run all four programs on a small repository, offline',
  description:
    'Runs zdx, zeno, zino and zcl in a new temporary folder. The model plays a screenplay, so the tour ' +
    'needs no key and no network. On a terminal it ends by offering the dashboard of what it recorded. Then it removes ' +
    'the folder, unless you add --keep. No process stays.',
  options: {
    provider: { flags: '--provider <name>', summary: 'use a real model of this provider' },
    model: { flags: '--model <name>', summary: 'the model, where the provider has no default' },
    keep: { flags: '--keep', summary: 'keep the files of the tour, also if it is interrupted' },
  },
  examples: [
    { line: 'zee tour', note: 'about a minute, offline' },
    { line: 'zee tour --keep', note: 'leave its files to look at' },
    { line: 'zee tour --provider anthropic', note: 'the same with a real model' },
  ],
  run: async ({ options, host }) => (await import('../tour/command.ts')).runTour(options, host),
})

const ui = command({
  name: 'ui',
  summary: 'Open the dashboard: what runs, sessions, runs, reading, memory, usage',
  description:
    'Serves the dashboard on 127.0.0.1 until Ctrl+C and opens it in a browser. The address contains a ' +
    'random token. The dashboard is read-only, except for undo, approve and stop, which ask first.',
  options: {
    port: {
      flags: '--port <n>',
      summary: 'listen on this port; 0 chooses a free one',
      default: '0',
      parse: wholeNumber(0, 65_535),
    },
    noOpen: { flags: '--no-open', summary: 'only print the address' },
  },
  examples: [
    { line: 'zee ui', note: 'open it in a browser' },
    {
      line: 'zee ui --port 7070 --no-open',
      note: 'on a server, through ssh -L 7070:127.0.0.1:7070',
    },
  ],
  run: async ({ options, host }) => (await import('../ui/command.ts')).runUi(options, host),
})

const open = command({
  name: 'open',
  summary: 'Open the page of a session, run, attempt, trace or memory by its id',
  arguments: [
    {
      name: 'id',
      summary: 'an id or a unique prefix of it, or the path of a trace or run',
      required: true,
    },
  ],
  options: {
    print: { flags: '--print', summary: "write the page and print its path; don't open it" },
  },
  examples: [
    { line: 'zee open 3f2a', note: 'whatever this id names' },
    { line: 'zee open --print latest', note: 'the page of the newest session or run' },
  ],
  run: async ({ args, options, host }) =>
    (await import('../open/command.ts')).runOpen(args[0] ?? '', options, host),
})

const search = command({
  name: 'search',
  summary: 'Search sessions, runs, traces and memories, newest first',
  description:
    'Finds the text, without regard to case, in the sessions of zdx, the runs of zcl, the traces of zeno ' +
    'and the memories of zino. Each hit names the command that shows it.',
  arguments: [{ name: 'text', summary: 'the text to find', required: true, variadic: true }],
  options: { json },
  examples: [{ line: 'zee search "connection refused"', note: 'where did this happen?' }],
  run: async ({ args, options, host }) =>
    (await import('../search/command.ts')).runSearch(args.join(' '), options, host),
})

const usage = command({
  name: 'usage',
  summary: 'Sum tokens and cost of everything zee did, from receipts',
  options: {
    since: {
      flags: '--since <date>',
      summary: 'count from this day or moment on (2026-03-01, 7d)',
    },
    by: {
      flags: '--by <column>',
      summary: 'one row for each of these',
      choices: ['day', 'model', 'project', 'program'],
      default: 'model',
    },
    json,
  },
  examples: [
    { line: 'zee usage --since 7d --by day', note: 'the last week' },
    { line: 'zee usage --by project', note: 'which project costs most?' },
  ],
  run: async ({ options, host }) => (await import('../usage/command.ts')).runUsage(options, host),
})

const setup = command({
  name: 'setup',
  summary: "Give a coding agent zeno's tools and skill, and zcl's hooks or proxy",
  description:
    "Registers zeno's MCP server, writes its skill where the agent looks for it, and adds zcl's hooks, which record " +
    "the agent's tool calls inside attempts. Zed has no hooks: its calls of zeno pass zcl's proxy there. Shows the changes as a diff and asks first on a terminal. --undo takes " +
    'them back: settings are as before, byte for byte.',
  arguments: [
    {
      name: 'agent',
      summary: 'the agent',
      required: true,
      choices: ['claude', 'codex', 'opencode', 'gemini', 'zed'],
    },
  ],
  options: {
    undo: { flags: '--undo', summary: 'take back what setup wrote' },
    user: { flags: '--user', summary: 'in the home folder instead of this project' },
    yes: { flags: '--yes', summary: 'do not ask' },
  },
  examples: [
    { line: 'zee setup claude', note: 'for Claude Code, in this project' },
    { line: 'zee setup claude --undo', note: 'take it back' },
  ],
  run: async ({ args, options, host }) =>
    (await import('../setup/command.ts')).runSetup(args[0] ?? '', options, host),
})

/** The launcher handles these before the command tree is loaded; the tree knows them for help. */
const programs = [
  { name: 'zdx', summary: 'Pass the arguments to zdx, the coding agent' },
  { name: 'zeno', summary: 'Pass the arguments to zeno, the retrieval server' },
  { name: 'zino', summary: 'Pass the arguments to zino, the always-on agent' },
  { name: 'zcl', summary: 'Pass the arguments to zcl, the lab' },
].map(({ name, summary }) => command({ name, summary, usage: '...' }))

export const tree = program({
  name: 'zee',
  version: manifest.version,
  summary: 'The front door: what is on this machine, whether it works, what it cost.',
  description:
    'Shows what zdx (acts), zeno (reads), zino (stays and remembers) and zcl (measures) left on this ' +
    'machine, and passes commands on to them.',
  commands: [ui, doctor, tour, open, search, usage, setup, ...programs],
  examples: [
    { line: 'zee', note: 'what is here, and what to do next' },
    { line: 'zee tour', note: 'see all four programs, offline' },
    { line: 'zee ui', note: 'the dashboard' },
    { line: 'zee search "connection refused"', note: 'search everything that was recorded' },
    { line: 'zee zdx exec -p "why does the build fail?"', note: 'the same as zdx exec ...' },
  ],
  run: async ({ host }) => (await import('../overview/overview.ts')).showOverview(host),
})
