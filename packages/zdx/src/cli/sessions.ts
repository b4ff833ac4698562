// `zdx sessions` and its commands.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals, rejectJson } from './globals.ts'

const command = commandFor(globals)

const id = {
  name: 'id',
  summary: 'the session: its id or a unique prefix',
  required: true,
} as const

const newestId = {
  name: 'id',
  summary: 'the session; by default the newest of this project',
} as const

const force = {
  flags: '--force',
  summary: 'also change files that were modified since; saves their present state first',
} as const

/** The options of `zdx verify` and `zdx sessions verify`. */
export const verifyOptions = {
  allTurns: { flags: '--all-turns', summary: 'check the last answer of every turn' },
} as const

export const sessions = command({
  name: 'sessions',
  summary: 'List, show, resume and manage sessions',
  description:
    'Sessions are plain files, one JSON object per line. A session belongs to the project in which it ' +
    'began; --all includes the other projects. Without a command: list.',
  groups: {
    Read: ['list', 'show', 'search', 'diff', 'stats', 'bill', 'verify'],
    Continue: ['resume', 'fork', 'replay'],
    Change: ['undo', 'redo', 'rename', 'delete'],
    Exchange: ['export', 'import'],
  },
  commands: [
    command({
      name: 'list',
      summary: 'List sessions, newest first: id, time, model, tokens, first prompt',
      examples: [
        { line: 'zdx sessions list --all', note: 'list the sessions of every project' },
        { line: 'zdx sessions list --format json', note: 'print one JSON object per session' },
      ],
      run: async (call) => (await import('../sessions/command.ts')).runList(call),
    }),
    command({
      name: 'show',
      summary: 'Print a session as Markdown with long results truncated',
      arguments: [newestId],
      examples: [
        { line: 'zdx sessions show 550e8400-e29b-41d4-a716-446655440000', note: 'read a session' },
      ],
      run: async (call) => (await import('../sessions/command.ts')).runShow(call),
    }),
    command({
      name: 'resume',
      summary: 'Continue a session; without an id choose it, or take the newest of this project',
      description:
        'Without an id, a terminal shows the sessions, newest first: type to filter them by title or ' +
        'text, choose with the arrow keys and Enter, leave with Esc. Otherwise the newest is taken.',
      arguments: [newestId],
      run: async (call) => (await import('../sessions/command.ts')).runResume(call),
    }),
    command({
      name: 'fork',
      summary: 'Copy a session into a new one and print its id',
      arguments: [id],
      options: {
        at: {
          flags: '--at <event>',
          summary: 'copy up to this event (a line of the session file)',
          parse: wholeNumber(1),
        },
      },
      run: async (call) =>
        rejectJson('sessions fork', call) ?? (await import('../sessions/command.ts')).runFork(call),
    }),
    command({
      name: 'rename',
      summary: 'Set the title that the list shows',
      arguments: [id, { name: 'title', summary: 'the title', required: true }],
      run: async (call) =>
        rejectJson('sessions rename', call) ??
        (await import('../sessions/command.ts')).runRename(call),
    }),
    command({
      name: 'delete',
      summary: 'Delete a session, its undo data and its page',
      arguments: [id],
      run: async (call) =>
        rejectJson('sessions delete', call) ??
        (await import('../sessions/command.ts')).runDelete(call),
    }),
    command({
      name: 'search',
      summary: 'Search prompts, answers, tool inputs and tool results of every project',
      arguments: [{ name: 'text', summary: 'the text to find', required: true }],
      run: async (call) => (await import('../sessions/command.ts')).runSearch(call),
    }),
    command({
      name: 'export',
      summary: 'Write a complete session as Markdown, JSON lines or an HTML page',
      arguments: [newestId],
      options: {
        format: {
          flags: '--format <format>',
          summary: 'md (the default), json (numbered events, one per line) or html (a page)',
          choices: ['md', 'json', 'html'],
        },
        out: {
          flags: '--out <file>',
          summary: 'write to this file instead of stdout',
          complete: 'file',
        },
      },
      run: async (call) => (await import('../sessions/command.ts')).runExport(call),
    }),
    command({
      name: 'stats',
      summary: 'Sum tokens, time and cost per model; with --all over every session',
      arguments: [newestId],
      run: async (call) => (await import('../sessions/command.ts')).runStats(call),
    }),
    command({
      name: 'import',
      summary: 'Import the logs of another coding agent as sessions',
      description:
        'Reads the logs of the program and writes one session for each: prompts, answers, tool calls, ' +
        'results, token usage, times and project. The logs are not changed. Secrets are redacted. ' +
        'A second import adds only what is new.',
      arguments: [
        {
          name: 'program',
          summary: 'the program that wrote the logs',
          required: true,
          choices: ['claude', 'codex', 'opencode', 'pi', 'gemini'],
        },
        { name: 'path', summary: 'a log or a folder; by default the folder of the program' },
      ],
      examples: [
        { line: 'zdx sessions import claude', note: 'import all sessions of Claude Code' },
      ],
      run: async (call) => (await import('../sessions/command.ts')).runImport(call),
    }),
    command({
      name: 'replay',
      summary: 'Repeat the calls of a session in a copy of its project and compare the results',
      description:
        'Copies the project to a temporary folder, restores the state before the session from the undo ' +
        'data, and runs the recorded calls with the real tools. Prints the first difference (a tool ' +
        'result, an event or the tree) and exits with 3 if there is one. Commands really run: what they ' +
        'do outside the project happens again. With --model, a model answers the prompts instead, and ' +
        'both runs are stored as zcl attempts.',
      arguments: [newestId],
      examples: [
        { line: 'zdx sessions replay 550e8400', note: 'repeat the calls of a session' },
        { line: 'zdx sessions replay --model claude-haiku-4-5', note: 'compare another model' },
      ],
      run: async (call) => (await import('../sessions/command.ts')).runReplay(call),
    }),
    command({
      name: 'bill',
      summary: 'Show tokens, cost and the sources of the input, per turn and in total',
      description:
        'Input tokens are attributed to the system prompt, AGENTS.md, each tool result and the history, ' +
        'by their size. Where the cache held less than it could, the bill names the first changed segment.',
      arguments: [newestId],
      examples: [{ line: 'zdx sessions bill --format json', note: 'one JSON object per turn' }],
      run: async (call) => (await import('../sessions/command.ts')).runBill(call),
    }),
    command({
      name: 'verify',
      summary: 'Check the claims of the last answer; the same as zdx verify',
      arguments: [newestId],
      options: verifyOptions,
      run: async (call) => (await import('../verify/command.ts')).runVerify(call),
    }),
    command({
      name: 'diff',
      summary: 'Show the file changes of a session as a diff',
      arguments: [newestId],
      run: async (call) =>
        rejectJson('sessions diff', call) ?? (await import('../sessions/command.ts')).runDiff(call),
    }),
    command({
      name: 'undo',
      summary: 'Undo the file changes of the last turn of a session, shell commands included',
      description:
        'Restores the files as they were before. Changes nothing and fails if one of them has been ' +
        'modified since. zdx sessions redo takes it back.',
      arguments: [newestId],
      options: {
        to: {
          flags: '--to <event>',
          summary: 'undo everything after this event (a line of the session file)',
          parse: wholeNumber(0),
        },
        force,
      },
      run: async (call) =>
        rejectJson('sessions undo', call) ?? (await import('../sessions/command.ts')).runUndo(call),
    }),
    command({
      name: 'redo',
      summary: 'Take the last undo of a session back',
      arguments: [newestId],
      options: { force },
      run: async (call) => (await import('../sessions/command.ts')).runRedo(call),
    }),
  ],
  run: async (call) => (await import('../sessions/command.ts')).runList(call),
})
