// The commands that store the state, evidence and claims of agent threads.
import { commandFor, wholeNumber } from '@zee/core/command-line'

const command = commandFor({})

export const persist = command({
  name: 'persist',
  summary: "Store the state, evidence and claims of an agent's turn",
  description:
    'Called by an agent program: by Codex as its notify program with one JSON argument, by Claude ' +
    'Code as a hook with JSON on standard input (SessionStart, UserPromptSubmit, Stop, PreCompact, ' +
    'PostToolUse). Writes below .codex/zeno or .claude/zeno of the repository, or below ZENO_ROOT.',
  options: {
    form: {
      flags: '--form <form>',
      summary: 'the calling program (default: codex with an argument, claude without one)',
      choices: ['codex', 'claude'],
    },
  },
  arguments: [{ name: 'notification', summary: 'the JSON that Codex sends' }],
  examples: [
    { line: 'notify = ["zeno", "persist"]', note: 'in ~/.codex/config.toml' },
    { line: 'zeno persist < hook.json', note: 'as Claude Code runs it for a hook' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../persist/command.ts')).runPersist(args[0], options.form, host),
})

export const bridge = command({
  name: 'bridge',
  summary: 'Print the stored state of a thread, to resume it',
  options: {
    zenoRoot: {
      flags: '--zeno-root <dir>',
      summary: 'the folder of persist (default: .codex/zeno, then .claude/zeno of the repository)',
      complete: 'folder',
    },
    threadId: { flags: '--thread-id <id>', summary: 'the thread (default: the newest)' },
    maxEvidence: {
      flags: '--max-evidence <n>',
      summary: 'maximum rows of evidence',
      default: '5',
      parse: wholeNumber(),
    },
    maxClaims: {
      flags: '--max-claims <n>',
      summary: 'maximum rows of claims',
      default: '5',
      parse: wholeNumber(),
    },
    json: { flags: '--json', summary: 'print one JSON document' },
  },
  examples: [{ line: 'zeno bridge --thread-id 0199a213', note: 'print the state of one thread' }],
  run: async ({ options, host }) =>
    (await import('../persist/bridge/command.ts')).runBridge(options, host),
})

export const rotate = command({
  name: 'rotate',
  summary: 'Rename files above a size limit and remove old ones',
  options: {
    path: {
      flags: '--path <file>',
      summary: 'a file to rotate',
      repeatable: true,
      required: true,
      complete: 'file',
    },
    maxBytes: {
      flags: '--max-bytes <n>',
      summary: 'rotate files larger than this',
      default: '20971520',
      parse: wholeNumber(),
    },
    keep: {
      flags: '--keep <n>',
      summary: 'number of rotated files to keep',
      default: '5',
      parse: wholeNumber(),
    },
  },
  examples: [{ line: 'zeno rotate --path trace.jsonl', note: 'rotate it when it is above 20 MiB' }],
  run: async ({ options, host }) =>
    (await import('../persist/rotate/command.ts')).runRotate(options, host),
})
