// The command tree of zcl: the one source for parsing, help, completions and the reference.
import { commandFor, program, wholeNumber } from '@zee/core/command-line'
import { parseAge, parseSize } from '@zee/evidence/retention'
import { classifications, noteKinds } from '@zee/evidence/vocabulary'
import manifest from '../package.json' with { type: 'json' }
import { attempt, runs } from './attempt-commands.ts'
import {
  evidenceArgument,
  json,
  outRoot,
  parseList,
  parseRunId,
  strict,
} from './command-options.ts'
import { compareCommands } from './compare/commands.ts'
import { funnelCommands } from './funnels/commands.ts'
import { queryCommands } from './query/commands.ts'
import { labCommands } from './lab/commands.ts'
import { ownLauncher } from './launcher.ts'
import { update } from './update/commands.ts'
import { view } from './view/command.ts'

const command = commandFor({})

const init = command({
  name: 'init',
  summary: 'Write zcl.config.json and create the output root',
  options: {
    outRoot,
    config: { flags: '--config <file>', summary: 'the config file', complete: 'file' },
    json,
  },
  examples: [{ line: 'zcl init', note: 'once per project; running it again changes nothing' }],
  run: async ({ options, host }) => (await import('./init.ts')).runInit(options, host),
})

const run = command({
  name: 'run',
  summary: 'Run a command through the funnel: one line of evidence',
  description:
    'Runs the command without a shell; its input, output and exit code pass unchanged. It has a ' +
    'session of its own, so that it cannot ask questions on the terminal. Exit 124 when the ' +
    'deadline of the attempt ends it, 126 and 127 when it cannot be started, 128+N for signal N.',
  usage:
    '[--capture [--capture-raw] [--capture-max-bytes <n>]] [--envelope --json] -- <cmd> [args...]',
  options: {
    capture: { flags: '--capture', summary: 'keep the output beside the trace, redacted' },
    captureRaw: { flags: '--capture-raw', summary: 'keep it as it is; refused in ci' },
    captureMaxBytes: {
      flags: '--capture-max-bytes <n>',
      summary: 'most bytes kept of each stream (4 MiB unless said otherwise)',
      parse: wholeNumber(1),
    },
    envelope: { flags: '--envelope', summary: 'print one JSON object instead of the output' },
    json: { flags: '--json', summary: 'goes with --envelope' },
  },
  arguments: [{ name: 'cmd', summary: 'the command and its arguments', variadic: true }],
  examples: [{ line: 'zcl run -- git status --short', note: 'as without zcl, and traced' }],
  // The entry has taken `run` before the tree was loaded.
  run: async ({ host }) => (await import('./run-entry.ts')).runEntry([], host),
})

const feedback = command({
  name: 'feedback',
  summary: 'Write the outcome of the attempt',
  options: {
    ok: { flags: '--ok', summary: 'the mission was accomplished' },
    fail: { flags: '--fail', summary: 'it was not' },
    result: { flags: '--result <text>', summary: 'the result as text' },
    resultJson: { flags: '--result-json <json>', summary: 'the result as JSON' },
    classification: {
      flags: '--classification <class>',
      summary: 'what kind of friction there was',
      choices: classifications,
    },
    hypothesis: {
      flags: '--hypothesis',
      summary: 'the classification is a guess, whatever the trace says',
    },
    decisionTag: { flags: '--decision-tag <tag>', summary: 'one tag', repeatable: true },
    decisionTags: { flags: '--decision-tags <csv>', summary: 'several tags', parse: parseList },
    json,
  },
  examples: [{ line: 'zcl feedback --ok --result "TITLE=Hello"', note: 'the last one counts' }],
  run: async ({ options, host }) => (await import('./feedback.ts')).runFeedback(options, host),
})

const note = command({
  name: 'note',
  summary: 'Add a remark to the attempt; it never changes a score',
  options: {
    kind: {
      flags: '--kind <kind>',
      summary: 'who speaks',
      choices: noteKinds,
      default: 'agent',
    },
    message: { flags: '--message <text>', summary: 'the remark' },
    dataJson: { flags: '--data-json <json>', summary: 'structured data instead' },
    tags: { flags: '--tags <csv>', summary: 'tags', parse: parseList },
    json,
  },
  run: async ({ options, host }) => (await import('./feedback.ts')).runNote(options, host),
})

const report = command({
  name: 'report',
  summary: 'Compute and write the report of an attempt or a run',
  options: { strict, json },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('./report.ts')).runReport(args[0] ?? '', options, host),
})

const show = command({
  name: 'show',
  summary: 'Show the report of an attempt or a run; writes nothing',
  options: { json },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('./report.ts')).runShow(args[0] ?? '', options, host),
})

const validate = command({
  name: 'validate',
  summary: 'Check the integrity of an attempt or a run',
  options: {
    strict,
    semantic: { flags: '--semantic', summary: 'check what results mean, not their integrity' },
    semanticRules: {
      flags: '--semantic-rules <file>',
      summary: 'the rules for that, instead of those of the suite',
      complete: 'file',
    },
    json,
  },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('./validate.ts')).runValidate(args[0] ?? '', options, host),
})

const contract = command({
  name: 'contract',
  summary: 'Print artifacts, events, commands and codes',
  options: { json },
  run: async ({ options, host }) => (await import('./contract.ts')).runContract(options, host),
})

const doctor = command({
  name: 'doctor',
  summary: 'Check whether this place is fit for measuring',
  options: { outRoot, json },
  run: async ({ options, host }) => (await import('./doctor.ts')).runDoctor(options, host),
})

const gc = command({
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
  run: async ({ options, host }) => (await import('./gc.ts')).runGc(options, host),
})

const pin = command({
  name: 'pin',
  summary: 'Keep a run from garbage collection',
  options: {
    runId: { flags: '--run-id <id>', summary: 'the run', required: true, parse: parseRunId },
    on: { flags: '--on', summary: 'keep it' },
    off: { flags: '--off', summary: 'let it go again' },
    outRoot,
    json,
  },
  run: async ({ options, host }) => (await import('./gc.ts')).runPin(options, host),
})

const shim = command({
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
        (await import('./shim.ts')).runShimInstall(args, options, host, ownLauncher()),
    }),
  ],
})

export const tree = program({
  name: 'zcl',
  version: manifest.version,
  summary: 'The Zero Context Lab: turns what an agent does into evidence.',
  commands: [
    init,
    attempt,
    runs,
    run,
    feedback,
    note,
    report,
    show,
    validate,
    view,
    contract,
    doctor,
    gc,
    pin,
    shim,
    ...funnelCommands,
    ...labCommands,
    ...compareCommands,
    ...queryCommands,
    update,
  ],
  examples: [
    { line: 'zcl init', note: 'config file and output root' },
    {
      line: 'eval "$(zcl attempt start --suite s --mission m --print-env sh)"',
      note: 'an attempt for this shell',
    },
    { line: 'zcl run -- curl -s https://example.com', note: 'an action, traced' },
    { line: 'zcl feedback --ok --result done', note: 'the outcome' },
    { line: 'zcl attempt finish', note: 'what it adds up to' },
  ],
})
