// The commands that read files for people: grep, read, list and symbols.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { denyOptions, json, log, root, sharedServerOptions } from './options.ts'

const command = commandFor({})

const readingOptions = {
  root: { ...root, required: false, summary: 'the folder or single file to read (default: .)' },
  rev: { flags: '--rev <revision>', summary: 'the files of this git revision' },
  log,
  ...denyOptions,
  ...sharedServerOptions,
  json,
} as const satisfies OptionTable

/** The settings of the service from the options. */
function settings<T extends { root: string | undefined; private: boolean }>(options: T) {
  return { ...options, root: options.root ?? '.', shared: !options.private }
}

export const grep = command({
  name: 'grep',
  summary: 'Search the contents of files',
  description:
    'Searches for a literal text, or for a regular expression with --regex. Prints path:line:text in the ' +
    'order of paths. Exits with 1 if nothing matches. Uses the shared server of the root if one runs.',
  options: {
    regex: { flags: '-e, --regex', summary: 'the pattern is a Python-style regular expression' },
    ignoreCase: { flags: '-i, --ignore-case', summary: 'ignore upper and lower case' },
    context: {
      flags: '-C, --context <n>',
      summary: 'lines around each hit',
      default: '0',
      parse: wholeNumber(),
    },
    filesOnly: { flags: '-l, --files', summary: 'print only the paths of matching files' },
    max: { flags: '--max <n>', summary: 'hits to print', default: '1000', parse: wholeNumber(1) },
    ...readingOptions,
  },
  arguments: [
    { name: 'pattern', summary: 'the text to find', required: true },
    { name: 'path', summary: 'globs, files or folders to search (default: all)', variadic: true },
  ],
  examples: [
    { line: 'zeno grep TODO', note: 'in the working folder' },
    { line: `zeno grep -e 'def \\w+_id' 'src/**/*.py' -C 2`, note: 'a regular expression' },
  ],
  run: async ({ options, args: [pattern = '', ...paths], host }) =>
    (await import('../people/grep/command.ts')).runGrep(
      { ...settings(options), pattern, paths },
      host,
    ),
})

export const read = command({
  name: 'read',
  summary: 'Print lines of a file',
  options: {
    number: { flags: '-n, --number', summary: 'number the lines, as on a terminal' },
    ...readingOptions,
  },
  arguments: [
    {
      name: 'file[:lines]',
      summary: 'the file, with lines such as :12, :1-40 or :40-',
      required: true,
    },
  ],
  examples: [
    { line: 'zeno read src/main.ts:1-40', note: 'the first 40 lines' },
    { line: 'zeno read src/main.ts --rev HEAD~3', note: 'the file three commits ago' },
  ],
  run: async ({ options, args: [place = ''], host }) =>
    (await import('../people/read/command.ts')).runRead({ ...settings(options), place }, host),
})

export const list = command({
  name: 'list',
  summary: 'Print the paths of files',
  options: {
    max: {
      flags: '--max <n>',
      summary: 'paths to print',
      default: '100000',
      parse: wholeNumber(1),
    },
    ...readingOptions,
  },
  arguments: [{ name: 'glob', summary: 'only paths that match, such as "**/*.ts"' }],
  examples: [{ line: 'zeno list "**/*.test.ts"', note: 'the tests below the working folder' }],
  run: async ({ options, args: [glob], host }) =>
    (await import('../people/list/command.ts')).runList({ ...settings(options), glob }, host),
})

export const symbols = command({
  name: 'symbols',
  summary: 'Print definitions: of a file, or of a name in the whole tree',
  description:
    'Prints path:line: kind name. An argument that is a file lists its definitions; another argument is a ' +
    'name to find. Exits with 1 if there are none.',
  options: {
    match: {
      flags: '--match <how>',
      summary: 'how names match',
      choices: ['exact', 'prefix', 'fuzzy'],
      default: 'exact',
    },
    glob: { flags: '--glob <glob>', summary: 'only files that match' },
    max: { flags: '--max <n>', summary: 'lines to print', default: '1000', parse: wholeNumber(1) },
    ...readingOptions,
  },
  arguments: [{ name: 'file|name', summary: 'a file or a name (default: everything)' }],
  examples: [
    { line: 'zeno symbols src/main.ts', note: 'the definitions of a file' },
    { line: 'zeno symbols parse --match prefix', note: 'everything whose name starts with parse' },
  ],
  run: async ({ options, args: [target], host }) =>
    (await import('../people/symbols/command.ts')).runSymbols(
      { ...settings(options), target },
      host,
    ),
})
