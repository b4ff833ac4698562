// The `zino memory` branch of the command tree.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals, json } from './globals.ts'

const command = commandFor(globals)

const loadMemory = () => import('../memory/command.ts')
const loadArchive = () => import('../memory/archive/command.ts')

const top = {
  flags: '--top <n>',
  summary: 'number of results (default: 3)',
  parse: wholeNumber(1),
} as const
const yes = { flags: '--yes', summary: 'do not ask' } as const
const memoryId = {
  name: 'id',
  summary: 'number of a hard memory, or CHANNEL:POSITION of a message',
  required: true,
} as const
const file = { name: 'file', summary: 'the file', required: true, complete: 'file' } as const

export const memory = command({
  name: 'memory',
  summary: 'Store, search and show memories',
  description: 'Without a command: list.',
  options: { json },
  groups: {
    Memories: ['add', 'search', 'at', 'list', 'show', 'edit', 'forget', 'soft'],
    Channels: ['channels', 'history', 'clear'],
    'All memories': ['export', 'import', 'backup', 'restore'],
  },
  commands: [
    command({
      name: 'add',
      summary: 'Store a hard memory',
      options: { json, tag: { flags: '--tag <tag>', summary: 'tag to find it by' } },
      arguments: [{ name: 'text', summary: 'what to remember', required: true, variadic: true }],
      examples: [{ line: 'zino memory add "the backup runs at 3"', note: 'store a fact' }],
      run: async ({ options, args, globals: { config }, host }) =>
        (await loadMemory()).addMemory({ config, text: args.join(' '), ...options }, host),
    }),
    command({
      name: 'search',
      summary: 'Find hard memories, best first',
      options: {
        json,
        count: top,
        channel: { flags: '--channel <id>', summary: 'only messages of this channel' },
        scope: { flags: '--scope <name>', summary: 'hard, history or all (default: hard)' },
        since: {
          flags: '--since <time>',
          summary: 'stored since this date, time or duration (90m)',
        },
        until: { flags: '--until <time>', summary: 'stored at or before this date or time' },
      },
      arguments: [{ name: 'query', summary: 'search words', required: true, variadic: true }],
      run: async ({ options, args, globals: { config }, host }) =>
        (await loadMemory()).searchMemories({ config, query: args.join(' '), ...options }, host),
    }),
    command({
      name: 'at',
      summary: 'Search as of an earlier time',
      options: { json, count: top },
      arguments: [
        { name: 'time', summary: 'a date or an RFC 3339 time', required: true },
        { name: 'search', summary: 'the word search', required: true },
        { name: 'query', summary: 'search words', required: true, variadic: true },
      ],
      examples: [{ line: 'zino memory at 2026-03-01 search backup', note: 'what was known then' }],
      run: async ({ options, args: [at = '', word, ...query], globals: { config }, host }) =>
        (await loadMemory()).searchAt(
          { config, at, word, query: query.join(' '), ...options },
          host,
        ),
    }),
    command({
      name: 'list',
      summary: 'List hard memories, or the messages of a channel',
      options: {
        json,
        tag: { flags: '--tag <tag>', summary: 'only memories with this tag' },
        channel: { flags: '--channel <id>', summary: 'the messages of this channel' },
        since: {
          flags: '--since <time>',
          summary: 'stored since this date, time or duration (90m)',
        },
      },
      run: async ({ options, globals: { config }, host }) =>
        (await loadArchive()).listMemories({ config, ...options }, host),
    }),
    command({
      name: 'show',
      summary: 'Show one memory',
      options: { json },
      arguments: [memoryId],
      run: async ({ options, args: [id = ''], globals: { config }, host }) =>
        (await loadArchive()).showMemory({ config, id, ...options }, host),
    }),
    command({
      name: 'edit',
      summary: 'Replace the text of one memory',
      options: { json },
      arguments: [
        memoryId,
        { name: 'text', summary: 'the new text (default: stdin)', variadic: true },
      ],
      run: async ({ options, args: [id = '', ...words], globals: { config }, host }) =>
        (await loadArchive()).editMemory({ config, id, text: words.join(' '), ...options }, host),
    }),
    command({
      name: 'forget',
      summary: 'Remove one memory for good',
      options: {
        json,
        yes,
        reason: { flags: '--reason <text>', summary: 'kept with the hash of the memory' },
      },
      arguments: [memoryId],
      examples: [{ line: 'zino memory forget 12 --yes', note: 'without a question' }],
      run: async ({ options, args: [id = ''], globals: { config }, host }) =>
        (await loadArchive()).forgetMemory({ config, id, ...options }, host),
    }),
    command({
      name: 'export',
      summary: 'Print all memories and histories',
      options: {
        format: { flags: '--format <name>', summary: 'jsonl or md', default: 'jsonl' },
      },
      run: async ({ options, globals: { config }, host }) =>
        (await loadArchive()).exportMemories({ config, ...options }, host),
    }),
    command({
      name: 'import',
      summary: 'Read an export of zino, ChatGPT or Claude',
      options: { json },
      arguments: [file],
      run: async ({ options, args: [name = ''], globals: { config }, host }) =>
        (await loadArchive()).importMemories({ config, file: name, ...options }, host),
    }),
    command({
      name: 'backup',
      summary: 'Write all memories into one file, with a hash',
      options: { json },
      arguments: [file],
      run: async ({ options, args: [name = ''], globals: { config }, host }) =>
        (await loadArchive()).backupMemories({ config, file: name, ...options }, host),
    }),
    command({
      name: 'restore',
      summary: 'Replace all memories by those of a backup',
      options: { json, yes },
      arguments: [file],
      run: async ({ options, args: [name = ''], globals: { config }, host }) =>
        (await loadArchive()).restoreMemories({ config, file: name, ...options }, host),
    }),
    command({
      name: 'soft',
      summary: 'Show or replace the soft memory',
      options: { json },
      arguments: [{ name: 'text', summary: 'the new text; "" empties it', variadic: true }],
      run: async ({ options, args, globals: { config }, host }) => {
        const text = args.length === 0 ? undefined : args.join(' ')
        return (await loadMemory()).softMemory({ config, text, ...options }, host)
      },
    }),
    command({
      name: 'history',
      summary: 'Show the history of a channel',
      options: {
        json,
        limit: {
          flags: '--limit <n>',
          summary: 'show only the newest n messages',
          parse: wholeNumber(1),
        },
      },
      arguments: [{ name: 'channel', summary: 'the channel', required: true }],
      run: async ({ options, args: [channel = ''], globals: { config }, host }) =>
        (await loadMemory()).channelHistory({ config, channel, ...options }, host),
    }),
    command({
      name: 'channels',
      summary: 'List the channels that have a history',
      options: { json },
      run: async ({ options, globals: { config }, host }) =>
        (await loadMemory()).listChannels({ config, ...options }, host),
    }),
    command({
      name: 'clear',
      summary: 'Delete the history of a channel',
      options: { json, yes },
      arguments: [{ name: 'channel', summary: 'the channel', required: true }],
      run: async ({ options, args: [channel = ''], globals: { config }, host }) =>
        (await loadMemory()).clearChannel({ config, channel, ...options }, host),
    }),
  ],
  run: async ({ options: { json: asJson }, globals: { config }, host }) =>
    (await loadArchive()).listMemories(
      { config, json: asJson, tag: undefined, channel: undefined, since: undefined },
      host,
    ),
})
