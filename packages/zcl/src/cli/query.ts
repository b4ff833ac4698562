// `zcl query`: SQL over everything that was measured.
import { commandFor } from '@zee/core/command-line'
import { json, outRoot } from './options.ts'
import { queryFormats } from '../query/query.ts'

export const query = commandFor({})({
  name: 'query',
  summary: 'Ask all runs a question in SQL',
  description:
    'One SELECT over the views runs, attempts, calls and findings (`describe calls` shows the ' +
    'columns). Needs the optional package @duckdb/node-api. What was read is kept in columns below ' +
    'the output root and read again only where runs have changed. The SQL can read these views ' +
    'and nothing else.',
  options: {
    format: {
      flags: '--format <format>',
      summary: 'the form of the answer; parquet needs --out',
      choices: queryFormats,
    },
    out: {
      flags: '--out <file>',
      summary: 'write it to this file instead of stdout',
      complete: 'file',
    },
    rebuild: { flags: '--rebuild', summary: 'read all evidence again' },
    outRoot,
    json,
  },
  arguments: [{ name: 'sql', summary: 'one SELECT', required: true }],
  examples: [
    {
      line: 'zcl query "select code, count(*) n from calls where not ok group by code order by n desc"',
      note: 'what fails most often',
    },
    {
      line: 'zcl query "from attempts" --format parquet --out attempts.parquet',
      note: 'for other tools',
    },
  ],
  run: async ({ options, args, host }) =>
    (await import('../query/command.ts')).runQuery(args[0] ?? '', options, host),
})
