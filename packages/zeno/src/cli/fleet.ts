// `zeno fleet` and its subcommands.
import { commandFor } from '@zee/core/command-line'
import type { OptionTable } from '@zee/core/command-line'
import { json } from './options.ts'

const command = commandFor({})

const fleetOptions = {
  db: {
    flags: '--db <url>',
    summary: 'a PostgreSQL database; repeat it for each shard',
    repeatable: true,
  },
  json,
} as const satisfies OptionTable

const db = 'postgresql://localhost/code'

export const fleet = command({
  name: 'fleet',
  summary: 'Store many git repositories in PostgreSQL',
  description:
    'Stores every distinct text of many git repositories once, under a trigram index. zeno serve ' +
    '--fleet URL answers from it. Several databases are shards; name the same ones in every command. ' +
    'Needs the package pg.',
  commands: [
    command({
      name: 'init',
      summary: 'Create the tables in each database',
      options: fleetOptions,
      examples: [{ line: `zeno fleet init --db ${db}`, note: 'safe to repeat' }],
      run: async ({ options, host }) =>
        (await import('../fleet/command.ts')).runFleetInit(options, host),
    }),
    command({
      name: 'add',
      summary: 'Add git repositories, and store their files',
      options: {
        ...fleetOptions,
        rev: {
          flags: '--rev <revision>',
          summary: 'the branch, tag or commit to store',
          default: 'HEAD',
        },
      },
      arguments: [
        {
          name: 'repository',
          summary: 'a path, or name=path',
          required: true,
          variadic: true,
          complete: 'folder',
        },
      ],
      examples: [
        { line: `zeno fleet add --db ${db} ~/src/app`, note: 'named app' },
        { line: `zeno fleet add --db ${db} team/lib=/srv/git/lib.git`, note: 'with another name' },
      ],
      run: async ({ options, args, host }) =>
        (await import('../fleet/command.ts')).runFleetAdd(args, options, host),
    }),
    command({
      name: 'sync',
      summary: 'Store the files of new commits',
      description:
        'Reads only what changed since the stored commit. Safe to interrupt, and to run several times ' +
        'at once: each repository is synced by one worker at a time.',
      options: fleetOptions,
      arguments: [{ name: 'name', summary: 'a repository (default: all)', variadic: true }],
      examples: [{ line: `zeno fleet sync --db ${db}`, note: 'all repositories' }],
      run: async ({ options, args, host }) =>
        (await import('../fleet/command.ts')).runFleetSync(args, options, host),
    }),
    command({
      name: 'status',
      summary: 'Print sizes, and the stored commit of each repository',
      options: fleetOptions,
      examples: [{ line: `zeno fleet status --db ${db} --json`, note: 'for a program' }],
      run: async ({ options, host }) =>
        (await import('../fleet/command.ts')).runFleetStatus(options, host),
    }),
    command({
      name: 'gc',
      summary: 'Delete texts that no repository has any more',
      options: {
        ...fleetOptions,
        remove: {
          flags: '--remove <name>',
          summary: 'remove this repository first',
          repeatable: true,
        },
      },
      examples: [{ line: `zeno fleet gc --db ${db} --remove app`, note: 'remove a repository' }],
      run: async ({ options, host }) =>
        (await import('../fleet/command.ts')).runFleetCollect(options, host),
    }),
  ],
})
