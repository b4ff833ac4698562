// `zeno locate`: files and lines for a text.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { denyOptions, log, root, sharedServerOptions } from './options.ts'

const command = commandFor({})

export const locate = command({
  name: 'locate',
  summary: 'Rank files and lines for a text such as an issue',
  description:
    'Ranks files by the words of the text in contents, paths and symbols, and by earlier commits with ' +
    'similar messages. Uses no model. Prints path:lines and the terms that matched, best first.',
  options: {
    root: { ...root, required: false, summary: 'the folder or single file to read (default: .)' },
    max: { flags: '--max <n>', summary: 'files to print', default: '10', parse: wholeNumber(1) },
    rev: { flags: '--rev <revision>', summary: 'the files of this git revision' },
    log,
    ...denyOptions,
    ...sharedServerOptions,
    json: { flags: '--json', summary: 'print one JSON object per line' },
  },
  arguments: [{ name: 'text', summary: 'the text of an issue or a question', required: true }],
  examples: [
    { line: 'zeno locate "timeout of the proxy is ignored"', note: 'in the working folder' },
    { line: 'zeno locate "$(cat issue.md)" --rev v1.0 --json', note: 'at a tag, for a program' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../locate/command.ts')).runLocate(
      {
        ...options,
        root: options.root ?? '.',
        text: args[0] as string,
        shared: !options.private,
      },
      host,
    ),
})
