// The command `zcl view`.
import { commandFor, pageOptions } from '@zee/core/command-line'
import { json } from './options.ts'

export const view = commandFor({})({
  name: 'view',
  summary: 'Show a run, an attempt or two runs side by side as a page',
  description:
    'Writes one self-contained HTML file that needs no network. Without --out it goes into the ' +
    'folder of the evidence: run.html or attempt.html. With --serve the page is served at a private ' +
    'address of this machine and follows the evidence as it grows, until Ctrl+C.',
  usage: '[--out <file> | --serve] [--open] [--json] [run|attempt] [run]',
  options: {
    ...pageOptions,
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
    { line: 'zcl view --open latest', note: 'open the newest run in a browser' },
    { line: 'zcl view --serve .zcl/runs/*/attempts/001-*', note: 'watch an attempt' },
    { line: 'zcl view before/ after/ --out diff.html', note: 'did it get better?' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../view/command.ts')).runView(args, options, host),
})
