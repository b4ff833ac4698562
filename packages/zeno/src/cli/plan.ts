// `zeno plan` as a branch of the command tree.
import { commandFor, wholeNumber } from '@zee/core/command-line'

const command = commandFor({})

const mode = { flags: '--mode <mode>', summary: 'one of the modes that list prints' } as const

export const plan = command({
  name: 'plan',
  summary: 'Print the requests that begin a way of reading',
  description:
    'Prints requests, one per line, that begin one of six ways of reading a codebase. They can be ' +
    'piped into zeno serve as they are; what is not known yet stays as <SYMBOL> and the like.',
  commands: [
    command({
      name: 'list',
      summary: 'Print the modes',
      run: async ({ host }) => (await import('../plan/command.ts')).listModes(host),
    }),
    command({
      name: 'describe',
      summary: 'Print what a mode is for and what it asks',
      options: { mode: { ...mode, required: true } },
      run: async ({ options, host }) =>
        (await import('../plan/command.ts')).describeMode(options.mode, host),
    }),
  ],
  options: {
    mode,
    language: { flags: '--language <name>', summary: 'the language of the code in question' },
    symbol: { flags: '--symbol <name>', summary: 'a name defined in the code' },
    keyTerm: { flags: '--key-term <text>', summary: 'what the research is about' },
    changed: { flags: '--changed <file>', summary: 'a changed file', repeatable: true },
    git: { flags: '--git', summary: 'ask git for the changed files' },
    gitRoot: { flags: '--git-root <dir>', summary: 'the repository', complete: 'folder' },
    base: { flags: '--base <revision>', summary: 'changes since it was left; needs --git' },
    head: { flags: '--head <revision>', summary: 'changes up to it; HEAD otherwise' },
    pack: { flags: '--pack <file>', summary: 'own patterns for the audit', complete: 'file' },
    maxPatterns: {
      flags: '--max-patterns <n>',
      summary: 'the most patterns of the audit',
      parse: wholeNumber(1),
    },
    format: {
      flags: '--format <format>',
      summary: 'how the plan is printed',
      choices: ['jsonl', 'json', 'text'],
      default: 'jsonl',
    },
  },
  examples: [
    {
      line: 'zeno plan --mode codebase-archaeology --symbol parseDate --language ts | zeno serve --root .',
      note: 'plan and carry out',
    },
    { line: 'zeno plan --mode pr-review --git --base main', note: 'what to read of a branch' },
  ],
  run: async ({ options, host }) => (await import('../plan/command.ts')).runPlan(options, host),
})
