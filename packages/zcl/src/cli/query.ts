// The command `zcl query`.
import { commandFor } from '@zee/core/command-line'
import { json, outRoot } from './options.ts'
import { queryFormats } from '../query/query.ts'

export const query = commandFor({})({
  name: 'query',
  summary: 'Query all runs with SQL',
  description:
    'One SELECT over the views runs, attempts, calls and findings (`describe calls` shows the ' +
    'columns). Needs the optional package @duckdb/node-api. A cache below the output root holds the ' +
    'evidence in columns; only changed runs are read again. The SQL can read these views and ' +
    'nothing else.',
  options: {
    format: {
      flags: '--format <format>',
      summary: 'choose the output format; parquet needs --out',
      choices: queryFormats,
    },
    out: {
      flags: '--out <file>',
      summary: 'write the answer to this file instead of stdout',
      complete: 'file',
    },
    rebuild: { flags: '--rebuild', summary: 'rebuild the cache from all evidence' },
    outRoot,
    json,
  },
  arguments: [{ name: 'sql', summary: 'one SELECT', required: true }],
  examples: [
    {
      line: 'zcl query "select code, count(*) from calls where not ok group by code"',
      note: 'the most frequent failures',
    },
    {
      line: 'zcl query "from attempts" --format parquet --out attempts.parquet',
      note: 'for other tools',
    },
  ],
  run: async ({ options, args, host }) =>
    (await import('../query/command.ts')).runQuery(args[0] ?? '', options, host),
})
