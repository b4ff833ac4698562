// The commands about a project: configuration, contract, garbage collection and shims.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { parseAge, parseSize } from '@zee/evidence/retention'
import { ownLauncher } from '../programs/programs.ts'
import { globals } from './config-option.ts'
import { attemptOption, ignoreOptions, json, outRoot, parseRunId } from './options.ts'

const command = commandFor(globals)

export const init = command({
  name: 'init',
  summary: 'Write zcl.config.json and create the output root',
  options: {
    outRoot,
    config: { flags: '--config <file>', summary: 'the config file', complete: 'file' },
    json,
  },
  examples: [{ line: 'zcl init', note: 'once per project; a second run changes nothing' }],
  run: async ({ options, globals, host }) => {
    const config = options.config ?? globals.config
    return (await import('../config/init/command.ts')).runInit({ ...options, config }, host)
  },
})

export const trust = command({
  name: 'trust',
  summary: 'Let the zcl.config.json of this folder use all its keys',
  description:
    'A zcl.config.json that zcl finds in the working folder may come with a repository. Until you ' +
    'trust it, releases and an outRoot outside the folder have no effect. A change of the file ends ' +
    'the trust. A file that --config or ZCL_CONFIG names needs none.',
  options: {
    revoke: { flags: '--revoke', summary: 'no longer trust it' },
    list: { flags: '--list', summary: 'list the trusted files' },
  },
  examples: [{ line: 'zcl trust', note: 'after you have read the file' }],
  run: async ({ options, host }) => (await import('../trust/command.ts')).runTrust(options, host),
})

export const contract = command({
  name: 'contract',
  summary: 'Print artifacts, events, commands and codes',
  options: { json },
  run: async ({ options, host }) =>
    (await import('../contract/command.ts')).runContract(options, host),
})

export const doctor = command({
  name: 'doctor',
  summary: 'Check that attempts can be recorded here',
  options: { outRoot, json },
  run: async ({ options, host }) =>
    (await import('../config/doctor/command.ts')).runDoctor(options, host),
})

export const gc = command({
  name: 'gc',
  summary: 'Delete old runs (default: older than 30 days)',
  options: {
    olderThan: {
      flags: '--older-than <age>',
      summary: 'delete runs older than this (36h, 14d, 2w)',
      parse: parseAge,
    },
    maxBytes: {
      flags: '--max-bytes <size>',
      summary: 'then delete the oldest runs until the rest fits (500mb, 10gb)',
      parse: parseSize,
    },
    maxAgeDays: {
      flags: '--max-age-days <n>',
      summary: 'same as --older-than <n>d',
      parse: wholeNumber(0),
    },
    maxTotalBytes: {
      flags: '--max-total-bytes <n>',
      summary: 'same as --max-bytes <n>',
      parse: wholeNumber(0),
    },
    dryRun: { flags: '--dry-run', summary: 'print what would be deleted' },
    yes: {
      flags: '--yes',
      summary: 'delete even if all evidence is older than the limit, which a wrong clock can cause',
    },
    outRoot,
    json,
  },
  examples: [{ line: 'zcl gc --older-than 14d --dry-run', note: 'list runs older than 14 days' }],
  run: async ({ options, host }) => (await import('../gc/command.ts')).runGc(options, host),
})

export const pin = command({
  name: 'pin',
  summary: 'Protect a run from garbage collection',
  options: {
    runId: { flags: '--run-id <id>', summary: 'the run', required: true, parse: parseRunId },
    on: { flags: '--on', summary: 'pin the run' },
    off: { flags: '--off', summary: 'unpin the run' },
    outRoot,
    json,
  },
  run: async ({ options, host }) => (await import('../pin/command.ts')).runPin(options, host),
})

const shimDir = {
  flags: '--dir <dir>',
  summary: 'the folder',
  required: true,
  complete: 'folder',
} as const
const serveTrace = {
  flags: '--serve-trace <attemptDir>',
  summary: 'answer calls from the trace of this attempt instead of running the tools',
  complete: 'folder',
} as const

export const shim = command({
  name: 'shim',
  summary: 'Trace tools that an agent calls by name',
  description:
    'With --serve-trace, writes wrappers for every command of a trace. They print the recorded ' +
    'output and exit with the recorded code; no tool runs.',
  options: { serveTrace: { ...serveTrace, required: true }, dir: shimDir, json },
  run: async ({ options, host }) => {
    const rest = { attempt: undefined, ignoreArgv: [], ignorePreset: [] }
    const { runShimInstall } = await import('../shim/command.ts')
    return runShimInstall([], { ...options, ...rest }, host, ownLauncher())
  },
  commands: [
    command({
      name: 'install',
      summary: 'Write wrapper scripts into a folder to put first on PATH',
      options: {
        dir: shimDir,
        attempt: attemptOption,
        serveTrace,
        ...ignoreOptions,
        json,
      },
      arguments: [{ name: 'tool', summary: 'names of tools', required: true, variadic: true }],
      examples: [
        { line: 'zcl shim install --dir .zcl/shims git npm', note: 'then put it first on PATH' },
        {
          line: 'zcl shim install --dir shims --serve-trace <attemptDir> git',
          note: 'git answers as it did in that attempt',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../shim/command.ts')).runShimInstall(args, options, host, ownLauncher()),
    }),
  ],
})
