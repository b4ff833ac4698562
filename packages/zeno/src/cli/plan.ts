// `zeno plan` and its subcommands.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { log, root } from './options.ts'

const command = commandFor({})

/** The names in `plan/modes.ts`, which is loaded lazily. */
const modes = [
  ...['codebase-archaeology', 'security-audit', 'architecture-mapping'],
  ...['pr-review', 'skill-generation', 'deep-research'],
] as const

const mode = { flags: '--mode <mode>', summary: 'a mode (see zeno plan list)' } as const

export const plan = command({
  name: 'plan',
  summary: 'Print the first requests for a reading task',
  description:
    'Prints requests, one per line, that start one of six ways of reading a codebase. Pipe them into ' +
    'zeno serve, or run them with --run. Missing inputs stay as placeholders such as <SYMBOL>, and ' +
    '--run skips their requests.',
  commands: [
    command({
      name: 'list',
      summary: 'Print the modes',
      run: async ({ host }) => (await import('../plan/command.ts')).listModes(host),
    }),
    command({
      name: 'describe',
      summary: 'Print the purpose, inputs and requests of a mode',
      options: { mode: { ...mode, required: true } },
      run: async ({ options, host }) =>
        (await import('../plan/command.ts')).describeMode(options.mode, host),
    }),
  ],
  options: {
    mode,
    language: { flags: '--language <name>', summary: 'the language of the code' },
    symbol: { flags: '--symbol <name>', summary: 'a name defined in the code' },
    keyTerm: { flags: '--key-term <text>', summary: 'the search term of the research' },
    doc: { flags: '--doc <path>', summary: 'the document to read first', complete: 'file' },
    changed: { flags: '--changed <file>', summary: 'a changed file', repeatable: true },
    git: { flags: '--git', summary: 'take the changed files from git' },
    gitRoot: { flags: '--git-root <dir>', summary: 'the repository', complete: 'folder' },
    base: {
      flags: '--base <revision>',
      summary: 'changes since the merge base with this revision; needs --git',
    },
    head: {
      flags: '--head <revision>',
      summary: 'changes up to this revision (default: HEAD); needs --git',
    },
    pack: { flags: '--pack <file>', summary: 'patterns to use for the audit', complete: 'file' },
    maxPatterns: {
      flags: '--max-patterns <n>',
      summary: 'maximum number of audit patterns',
      parse: wholeNumber(1),
    },
    format: {
      flags: '--format <format>',
      summary: 'output format',
      choices: ['jsonl', 'json', 'text'],
      default: 'jsonl',
    },
    run: { flags: '--run', summary: 'send the requests and print the answers' },
    root: { ...root, required: false, summary: 'the folder to read with --run (default: .)' },
    log,
  },
  arguments: [{ name: 'mode', summary: 'a mode (see zeno plan list)', choices: modes }],
  examples: [
    {
      line: 'zeno plan --mode codebase-archaeology --symbol parseDate --language ts | zeno serve --root .',
      note: 'print a plan and pipe it into a server',
    },
    { line: 'zeno plan pr-review --run', note: 'read the uncommitted changes' },
    { line: 'zeno plan --mode pr-review --git --base main', note: 'plan the review of a branch' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../plan/command.ts')).runPlan(options, args[0], host),
})
