// `zeno view` as a branch of the command tree.
import { commandFor } from '@zee/core/command-line'

export const view = commandFor({})({
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
  run: async ({ options, host }) => (await import('./view.ts')).runView(options, host),
})
