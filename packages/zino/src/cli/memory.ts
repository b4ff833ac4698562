// The `zino memory` branch of the command tree.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals, json } from './globals.ts'

const command = commandFor(globals)

const loadMemory = () => import('../memory/command.ts')

export const memory = command({
  name: 'memory',
  summary: 'Store, search and show memories',
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
        count: {
          flags: '--top <n>',
          summary: 'number of results (default: 3)',
          parse: wholeNumber(1),
        },
      },
      arguments: [{ name: 'query', summary: 'search words', required: true, variadic: true }],
      run: async ({ options, args, globals: { config }, host }) =>
        (await loadMemory()).searchMemories({ config, query: args.join(' '), ...options }, host),
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
      options: { json },
      arguments: [{ name: 'channel', summary: 'the channel', required: true }],
      run: async ({ options, args: [channel = ''], globals: { config }, host }) =>
        (await loadMemory()).clearChannel({ config, channel, ...options }, host),
    }),
  ],
})
