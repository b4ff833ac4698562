// The commands that look at a trace.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { json, log, root } from './options.ts'

const command = commandFor({})

export const tail = command({
  name: 'tail',
  summary: 'Print the end of a trace',
  options: {
    log: { ...log, required: true, summary: 'the trace' },
    lines: {
      flags: '-n, --lines <n>',
      summary: 'how many lines; 0 for all',
      default: '20',
      parse: wholeNumber(),
    },
    follow: { flags: '-f, --follow', summary: 'go on with what is appended' },
  },
  examples: [{ line: 'zeno tail --log trace.jsonl --follow', note: 'watch an agent read' }],
  run: async ({ options, host }) =>
    (await import('../people/tail/command.ts')).runTail(options, host),
})

export const view = command({
  name: 'view',
  summary: 'Show the trajectory of a retrieval as a page',
  description:
    'Makes one HTML file that holds everything it shows and needs no network: requests in order, ' +
    'sub-calls by depth, claims and their evidence, totals against budgets. With --root the corpus is ' +
    'shown as a map and evidence is checked as by zeno verify. Without --out the page lies beside the ' +
    'trace. With --serve it is shown at a private address and follows the trace, until Ctrl+C.',
  options: {
    log: { flags: '--log <file>', summary: 'the trace', required: true, complete: 'file' },
    root: {
      flags: '--root <path>',
      summary: 'what was read from: shows the corpus and checks evidence',
      complete: 'folder',
    },
    evidence: {
      flags: '--evidence <file>',
      summary: 'a ledger of evidence, besides what the trace holds',
      complete: 'file',
    },
    claims: {
      flags: '--claims <file>',
      summary: 'a ledger of claims, besides those of the trace',
      complete: 'file',
    },
    out: { flags: '--out <file>', summary: 'write it to this file; - prints it', complete: 'file' },
    serve: { flags: '--serve', summary: 'serve it on 127.0.0.1 and keep it up to date' },
  },
  examples: [
    { line: 'zeno view --log trace.jsonl --root .', note: 'writes trace.html' },
    { line: 'zeno view --log trace.jsonl --root . --serve', note: 'watch an agent read' },
  ],
  run: async ({ options, host }) => (await import('../view/command.ts')).runView(options, host),
})

export const replay = command({
  name: 'replay',
  summary: 'Send the requests of a trace again and tell what differs',
  description:
    'Sends every request of a trace again and compares the answers with what was recorded. Prints ' +
    'one line per difference and exits with 1 when there is one.',
  options: { root, log: { ...log, required: true, summary: 'the trace' }, json },
  examples: [{ line: 'zeno replay --root . --log trace.jsonl', note: 'is it all still so?' }],
  run: async ({ options, host }) =>
    (await import('../trace/replay/command.ts')).runReplay(options, host),
})
