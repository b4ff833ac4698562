// `zino receipts` and `zino replay` in the command tree.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals, json } from './globals.ts'

const command = commandFor(globals)

const receiptsOfFile = {
  name: 'file',
  summary: 'the receipts (default: receipts.jsonl in the data folder)',
  complete: 'file',
} as const

export const receipts = command({
  name: 'receipts',
  summary: 'Show the receipts of turns, or check that none was changed',
  commands: [
    command({
      name: 'show',
      summary: 'Print one line per turn',
      options: {
        json,
        file: { flags: '--file <file>', summary: receiptsOfFile.summary, complete: 'file' },
        channel: { flags: '--channel <id>', summary: 'only turns of this channel' },
        since: {
          flags: '--since <time>',
          summary: 'only turns since this date, time or duration (90m)',
        },
        last: {
          flags: '-n, --last <n>',
          summary: 'only the newest n',
          parse: wholeNumber(1),
        },
      },
      arguments: [{ name: 'turn', summary: 'the id of a turn' }],
      run: async ({ options, args: [turn], globals: { config }, host }) =>
        (await import('../receipts/command.ts')).showReceipts({ config, turn, ...options }, host),
    }),
    command({
      name: 'verify',
      summary: 'Check the chain of receipts; exit code 1 when a byte was changed',
      options: { json },
      arguments: [receiptsOfFile],
      run: async ({ options, args: [file], globals: { config }, host }) =>
        (await import('../receipts/command.ts')).verifyFile({ config, file, ...options }, host),
    }),
  ],
})

export const replay = command({
  name: 'replay',
  summary: 'Play recorded turns again, offline, and report what differs',
  description:
    'Uses the recorded answers of the model and the recorded results of the tools: asks no model and ' +
    'runs no tool. The exit code is 1 when something differs.',
  options: {
    json,
    since: { flags: '--since <time>', summary: 'turns since this date, time or duration (90m)' },
  },
  arguments: [
    {
      name: 'file',
      summary: 'receipts, or the recorded answers of one turn (default: all receipts)',
      complete: 'file',
    },
  ],
  examples: [{ line: 'zino replay --since 2026-03-01', note: 'after an update' }],
  run: async ({ options, args: [file], globals: { config }, host }) =>
    (await import('../replay/command.ts')).runReplay({ config, file, ...options }, host),
})
