// The commands that keep what a thread knew.
import { commandFor, wholeNumber } from '@zee/core/command-line'

const command = commandFor({})

export const persist = command({
  name: 'persist',
  summary: "Keep the state, evidence and claims at the end of an agent's turn",
  description:
    'Called by an agent program: by Codex as its notify program with one JSON argument, by Claude ' +
    'Code as a hook with JSON on standard input (SessionStart, UserPromptSubmit, Stop, PreCompact, ' +
    'PostToolUse). Writes below .codex/zeno or .claude/zeno of the repository, or below ZENO_ROOT.',
  options: {
    form: {
      flags: '--form <form>',
      summary: 'who calls; otherwise codex with an argument and claude without one',
      choices: ['codex', 'claude'],
    },
  },
  arguments: [{ name: 'notification', summary: 'the JSON that Codex sends' }],
  examples: [
    { line: 'notify = ["zeno", "persist"]', note: 'in ~/.codex/config.toml' },
    { line: 'zeno persist < hook.json', note: 'what Claude Code does for a hook' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../persist/command.ts')).runPersist(args[0], options.form, host),
})

export const bridge = command({
  name: 'bridge',
  summary: 'Print what a thread knew, to carry on with',
  options: {
    zenoRoot: {
      flags: '--zeno-root <dir>',
      summary: 'where persist wrote; otherwise .codex/zeno, then .claude/zeno of the repository',
      complete: 'folder',
    },
    threadId: { flags: '--thread-id <id>', summary: 'the thread; otherwise the newest' },
    maxEvidence: {
      flags: '--max-evidence <n>',
      summary: 'rows of evidence',
      default: '5',
      parse: wholeNumber(),
    },
    maxClaims: {
      flags: '--max-claims <n>',
      summary: 'rows of claims',
      default: '5',
      parse: wholeNumber(),
    },
    json: { flags: '--json', summary: 'print one JSON document' },
  },
  examples: [{ line: 'zeno bridge --thread-id 0199a213', note: 'where that thread stood' }],
  run: async ({ options, host }) =>
    (await import('../persist/bridge/command.ts')).runBridge(options, host),
})

export const rotate = command({
  name: 'rotate',
  summary: 'Move files that have grown too large out of the way',
  options: {
    path: {
      flags: '--path <file>',
      summary: 'the file',
      repeatable: true,
      required: true,
      complete: 'file',
    },
    maxBytes: {
      flags: '--max-bytes <n>',
      summary: 'larger ones are moved',
      default: '20971520',
      parse: wholeNumber(),
    },
    keep: {
      flags: '--keep <n>',
      summary: 'how many moved ones stay',
      default: '5',
      parse: wholeNumber(),
    },
  },
  examples: [{ line: 'zeno rotate --path trace.jsonl', note: 'when it is above 20 MiB' }],
  run: async ({ options, host }) =>
    (await import('../persist/rotate/command.ts')).runRotate(options, host),
})
