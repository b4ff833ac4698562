// The commands that read a trace: tail, view and replay.
import { commandFor, pageOptions, wholeNumber } from '@zee/core/command-line'
import { json, log, rootOptions, rootSettings } from './options.ts'

const command = commandFor({})

export const tail = command({
  name: 'tail',
  summary: 'Print the end of a trace',
  options: {
    log: { ...log, required: true, summary: 'the trace' },
    lines: {
      flags: '-n, --lines <n>',
      summary: 'number of lines; 0 for all',
      default: '20',
      parse: wholeNumber(),
    },
    follow: { flags: '-f, --follow', summary: 'keep printing lines as they are appended' },
  },
  examples: [{ line: 'zeno tail --log trace.jsonl --follow', note: 'watch an agent read' }],
  run: async ({ options, host }) =>
    (await import('../people/tail/command.ts')).runTail(options, host),
})

export const view = command({
  name: 'view',
  summary: 'Show the trajectory of a retrieval as a page',
  description:
    'Writes one self-contained HTML file: requests in order, sub-calls by depth, claims and their ' +
    'evidence, totals against budgets. With --root the page maps the corpus and checks evidence like ' +
    'zeno verify. The default output is beside the trace. With --serve the page is served on ' +
    '127.0.0.1 and follows the trace, until Ctrl+C.',
  options: {
    log: { flags: '--log <file>', summary: 'the trace', required: true, complete: 'file' },
    root: {
      flags: '--root <path>',
      summary: 'the folder that was read: adds the corpus map and checks evidence',
      complete: 'folder',
    },
    evidence: {
      flags: '--evidence <file>',
      summary: 'an evidence ledger to add to the evidence of the trace',
      complete: 'file',
    },
    claims: {
      flags: '--claims <file>',
      summary: 'a claim ledger to add to the claims of the trace',
      complete: 'file',
    },
    ...pageOptions,
  },
  examples: [
    { line: 'zeno view --log trace.jsonl --root .', note: 'writes trace.html' },
    { line: 'zeno view --log trace.jsonl --root . --serve', note: 'watch an agent read' },
  ],
  run: async ({ options, host }) => (await import('../view/command.ts')).runView(options, host),
})

export const replay = command({
  name: 'replay',
  summary: 'Send the requests of a trace again and print what differs',
  description:
    'Sends every request of a trace again and compares the answers with the recorded ones. Prints ' +
    'one line per difference and exits with 1 when there is any.',
  options: { ...rootOptions, log: { ...log, required: true, summary: 'the trace' }, json },
  examples: [
    {
      line: 'zeno replay --root . --log trace.jsonl',
      note: 'check that the answers are unchanged',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../trace/replay/command.ts')).runReplay(rootSettings(options), host),
})
