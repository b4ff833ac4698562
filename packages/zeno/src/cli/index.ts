// `zeno index` as a branch of the command tree.
import { commandFor } from '@zee/core/command-line'
import { indexOptions, json, root, sharedServerOptions } from './options.ts'

const command = commandFor({})

export const index = command({
  name: 'index',
  summary: 'Look at the index that searches are answered from',
  commands: [
    command({
      name: 'stats',
      summary: 'Print what the index of a root holds and what it takes',
      description:
        'Asks the shared server of the root, or makes an index for the occasion where there is none.',
      options: {
        ...{ root, memory: indexOptions.memory, snapshot: indexOptions.snapshot },
        ...{ ...sharedServerOptions, json },
      },
      examples: [
        { line: 'zeno index stats --root .', note: 'files, freshness, memory' },
        { line: 'zeno index stats --root . --snapshot', note: 'and leave it for the next server' },
      ],
      run: async ({ options, host }) =>
        (await import('../index/command.ts')).runIndexStats(
          { ...options, shared: !options.private },
          host,
        ),
    }),
    command({
      name: 'clear',
      summary: 'Remove the snapshots that indexes have left on the disk',
      description:
        'Removes what --snapshot has left of a root, or of all, and says what it removed.',
      options: {
        root: { ...root, required: false, summary: 'the folder whose snapshots are removed' },
        all: { flags: '--all', summary: 'remove those of all roots' },
        json,
      },
      examples: [{ line: 'zeno index clear --root .', note: 'the next server begins anew' }],
      run: async ({ options, host }) =>
        (await import('../index/command.ts')).runIndexClear(options, host),
    }),
  ],
})
