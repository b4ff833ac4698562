// The command `zcl view`.
import { commandFor } from '@zee/core/command-line'
import { json } from './options.ts'

export const view = commandFor({})({
  name: 'view',
  summary: 'Show a run, an attempt or two runs side by side as a page',
  description:
    'Writes one self-contained HTML file that needs no network. Without --out it goes into the ' +
    'folder of the evidence: run.html or attempt.html. With --serve the page is served at a private ' +
    'address of this machine and follows the evidence as it grows, until Ctrl+C.',
  usage: '[--out <file> | --serve] [--json] [run|attempt] [run]',
  options: {
    out: {
      flags: '--out <file>',
      summary: 'write the page to this file; - is stdout',
      complete: 'file',
    },
    serve: { flags: '--serve', summary: 'serve the page on 127.0.0.1 and keep it up to date' },
    json,
  },
  arguments: [
    {
      name: 'run|attempt',
      summary: 'an id, a folder or latest (default ZCL_OUT_DIR); two runs are compared',
      variadic: true,
      complete: 'folder',
    },
  ],
  examples: [
    { line: 'zcl view 20260215-180012Z-09c5a6', note: 'the page of a run' },
    { line: 'zcl view --serve .zcl/runs/*/attempts/001-*', note: 'watch an attempt' },
    { line: 'zcl view before/ after/ --out diff.html', note: 'did it get better?' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../view/command.ts')).runView(args, options, host),
})
