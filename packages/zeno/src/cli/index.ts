// `zeno index` and its subcommands.
import { commandFor } from '@zee/core/command-line'
import { indexOptions, json, root, sharedServerOptions } from './options.ts'

const command = commandFor({})

export const index = command({
  name: 'index',
  summary: 'Inspect the search index and remove its snapshots',
  commands: [
    command({
      name: 'stats',
      summary: 'Print the size, freshness and memory of an index',
      description: 'Queries the shared server of the root. Without one, builds a temporary index.',
      options: {
        ...{ root, memory: indexOptions.memory, snapshot: indexOptions.snapshot },
        ...{ ...sharedServerOptions, json },
      },
      examples: [
        { line: 'zeno index stats --root .', note: 'files, freshness, memory' },
        {
          line: 'zeno index stats --root . --snapshot',
          note: 'save the index for the next server',
        },
      ],
      run: async ({ options, host }) =>
        (await import('../index/command.ts')).runIndexStats(
          { ...options, shared: !options.private },
          host,
        ),
    }),
    command({
      name: 'clear',
      summary: 'Remove index snapshots from the cache folder',
      description:
        'Removes the snapshots of one root, or of all roots, and lists the removed files.',
      options: {
        root: { ...root, required: false, summary: 'remove the snapshots of this folder' },
        all: { flags: '--all', summary: 'remove the snapshots of all roots' },
        json,
      },
      examples: [
        { line: 'zeno index clear --root .', note: 'the next server starts without a snapshot' },
      ],
      run: async ({ options, host }) =>
        (await import('../index/command.ts')).runIndexClear(options, host),
    }),
  ],
})
