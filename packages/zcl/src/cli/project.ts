// The commands about the place where zcl measures: its configuration, its contract, what is kept.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { parseAge, parseSize } from '@zee/evidence/retention'
import { ownLauncher } from '../programs/programs.ts'
import { json, outRoot, parseRunId } from './options.ts'

const command = commandFor({})

export const init = command({
  name: 'init',
  summary: 'Write zcl.config.json and create the output root',
  options: {
    outRoot,
    config: { flags: '--config <file>', summary: 'the config file', complete: 'file' },
    json,
  },
  examples: [{ line: 'zcl init', note: 'once per project; running it again changes nothing' }],
  run: async ({ options, host }) =>
    (await import('../config/init/command.ts')).runInit(options, host),
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
  summary: 'Check whether this place is fit for measuring',
  options: { outRoot, json },
  run: async ({ options, host }) =>
    (await import('../config/doctor/command.ts')).runDoctor(options, host),
})

export const gc = command({
  name: 'gc',
  summary: 'Delete old runs; without limits those older than 30 days',
  options: {
    olderThan: {
      flags: '--older-than <age>',
      summary: 'delete runs older than this (36h, 14d, 2w)',
      parse: parseAge,
    },
    maxBytes: {
      flags: '--max-bytes <size>',
      summary: 'then the oldest until the rest fits (500mb, 10gb)',
      parse: parseSize,
    },
    maxAgeDays: {
      flags: '--max-age-days <n>',
      summary: 'the same as --older-than <n>d',
      parse: wholeNumber(0),
    },
    maxTotalBytes: {
      flags: '--max-total-bytes <n>',
      summary: 'the same as --max-bytes <n>',
      parse: wholeNumber(0),
    },
    dryRun: { flags: '--dry-run', summary: 'only say what would go' },
    outRoot,
    json,
  },
  examples: [{ line: 'zcl gc --older-than 14d --dry-run', note: 'what a fortnight would cost' }],
  run: async ({ options, host }) => (await import('../gc/command.ts')).runGc(options, host),
})

export const pin = command({
  name: 'pin',
  summary: 'Keep a run from garbage collection',
  options: {
    runId: { flags: '--run-id <id>', summary: 'the run', required: true, parse: parseRunId },
    on: { flags: '--on', summary: 'keep it' },
    off: { flags: '--off', summary: 'let it go again' },
    outRoot,
    json,
  },
  run: async ({ options, host }) => (await import('../pin/command.ts')).runPin(options, host),
})

export const shim = command({
  name: 'shim',
  summary: 'Trace tools by their bare names',
  commands: [
    command({
      name: 'install',
      summary: 'Make wrappers for a folder that goes first on PATH',
      options: {
        dir: { flags: '--dir <dir>', summary: 'the folder', required: true, complete: 'folder' },
        json,
      },
      arguments: [{ name: 'tool', summary: 'names of tools', required: true, variadic: true }],
      examples: [
        { line: 'zcl shim install --dir .zcl/shims git npm', note: 'then put it first on PATH' },
      ],
      run: async ({ options, args, host }) =>
        (await import('../shim/command.ts')).runShimInstall(args, options, host, ownLauncher()),
    }),
  ],
})
