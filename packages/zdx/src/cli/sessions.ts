// `zdx sessions` and its commands.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals } from './globals.ts'

const command = commandFor(globals)

const id = { name: 'id', summary: 'the session', required: true } as const

export const sessions = command({
  name: 'sessions',
  summary: 'List, show, resume and manage sessions',
  description: 'Sessions are plain files, one JSON object a line. Without a command: list.',
  commands: [
    command({
      name: 'list',
      summary: 'List sessions, newest first: id, time, model, tokens, first prompt',
      run: async (call) => (await import('../sessions/command.ts')).runList(call),
    }),
    command({
      name: 'show',
      summary: 'Print a session as Markdown, long results cut',
      arguments: [id],
      examples: [
        { line: 'zdx sessions show 550e8400-e29b-41d4-a716-446655440000', note: 'read it again' },
      ],
      run: async (call) => (await import('../sessions/command.ts')).runShow(call),
    }),
    command({
      name: 'resume',
      summary: 'Go on with a session, the latest if none is named',
      arguments: [{ name: 'id', summary: 'the session' }],
      run: async (call) => (await import('../sessions/command.ts')).runResume(call),
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
      run: async (call) => (await import('../sessions/command.ts')).runFork(call),
    }),
    command({
      name: 'rename',
      summary: 'Give a session a title for the list',
      arguments: [id, { name: 'title', summary: 'the title', required: true }],
      run: async (call) => (await import('../sessions/command.ts')).runRename(call),
    }),
    command({
      name: 'delete',
      summary: 'Remove a session and what was kept to undo it',
      arguments: [id],
      run: async (call) => (await import('../sessions/command.ts')).runDelete(call),
    }),
    command({
      name: 'search',
      summary: 'Find sessions that speak of something',
      arguments: [{ name: 'text', summary: 'what to look for', required: true }],
      run: async (call) => (await import('../sessions/command.ts')).runSearch(call),
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
      run: async (call) => (await import('../sessions/command.ts')).runExport(call),
    }),
    command({
      name: 'stats',
      summary: 'Add up tokens, time and cost per model',
      arguments: [{ name: 'id', summary: 'this session only' }],
      run: async (call) => (await import('../sessions/command.ts')).runStats(call),
    }),
    command({
      name: 'diff',
      summary: 'Show what a session changed in files',
      arguments: [id],
      run: async (call) => (await import('../sessions/command.ts')).runDiff(call),
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
      run: async (call) => (await import('../sessions/command.ts')).runUndo(call),
    }),
  ],
  run: async (call) => (await import('../sessions/command.ts')).runList(call),
})
