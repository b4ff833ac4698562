// The commands that add to the evidence of an attempt, report on it, check it or export it.
import { commandFor } from '@zee/core/command-line'
import { callLevels, classifications, exportFormats, importFormats } from '@zee/evidence/vocabulary'
import type { ImportFormat } from '@zee/evidence/vocabulary'
import { noteKinds, runnerNames } from '@zee/evidence/vocabulary'
import { attemptArgument, evidenceArgument, json, outRoot, parseList, strict } from './options.ts'

const command = commandFor({})

export const feedback = command({
  name: 'feedback',
  summary: 'Record the outcome of the attempt',
  options: {
    ok: { flags: '--ok', summary: 'the mission was accomplished' },
    fail: { flags: '--fail', summary: 'the mission was not accomplished' },
    result: { flags: '--result <text>', summary: 'the result as text' },
    resultJson: { flags: '--result-json <json>', summary: 'the result as JSON' },
    classification: {
      flags: '--classification <class>',
      summary: 'kind of friction',
      choices: classifications,
    },
    hypothesis: {
      flags: '--hypothesis',
      summary: 'mark the classification as a guess',
    },
    decisionTag: { flags: '--decision-tag <tag>', summary: 'one tag', repeatable: true },
    decisionTags: { flags: '--decision-tags <csv>', summary: 'several tags', parse: parseList },
    json,
  },
  examples: [
    {
      line: 'zcl feedback --ok --result "TITLE=Hello"',
      note: 'the last feedback replaces earlier ones',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../attempts/feedback/command.ts')).runFeedback(options, host),
})

export const note = command({
  name: 'note',
  summary: 'Add a note to the attempt; it never changes a score',
  options: {
    kind: {
      flags: '--kind <kind>',
      summary: 'author of the note',
      choices: noteKinds,
      default: 'agent',
    },
    message: { flags: '--message <text>', summary: 'text of the note' },
    dataJson: { flags: '--data-json <json>', summary: 'structured data instead of text' },
    tags: { flags: '--tags <csv>', summary: 'comma-separated tags', parse: parseList },
    json,
  },
  run: async ({ options, host }) =>
    (await import('../attempts/note/command.ts')).runNote(options, host),
})

export const report = command({
  name: 'report',
  summary: 'Compute and write the report of an attempt or a run',
  description:
    'Counts the actions of the agent. With --level all, calls inside a traced call count too; such a ' +
    'report is printed and not written.',
  options: {
    strict,
    level: {
      flags: '--level <level>',
      summary: 'count the actions of the agent, or all traced calls',
      choices: callLevels,
      default: 'action',
    },
    json,
  },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/report/command.ts')).runReport(args[0], options, host),
})

export const show = command({
  name: 'show',
  summary: 'Print the report of an attempt or a run without writing it',
  options: { json },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/show/command.ts')).runShow(args[0], options, host),
})

export const validate = command({
  name: 'validate',
  summary: 'Check the integrity of an attempt or a run',
  options: {
    strict,
    semantic: { flags: '--semantic', summary: 'check the content of results instead of integrity' },
    semanticRules: {
      flags: '--semantic-rules <file>',
      summary: 'semantic rules to use instead of those of the suite',
      complete: 'file',
    },
    json,
  },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/validate/command.ts')).runValidate(args[0], options, host),
})

export const expect = command({
  name: 'expect',
  summary: 'Check the expectations of the suite for an attempt or a run',
  options: {
    strict: { flags: '--strict', summary: 'fail a mission without expectations' },
    json,
  },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/expect/command.ts')).runExpect(args[0], options, host),
})

export const enrich = command({
  name: 'enrich',
  summary: "Add metrics from the runner's log; it never changes a score",
  description:
    "Finds the runner's log by the agent id of the attempt, then by its prompt, and writes " +
    'runner.ref.json and runner.metrics.json. Fields that the log lacks are omitted.',
  options: {
    runner: {
      flags: '--runner <name>',
      summary: 'program that ran the agent',
      choices: runnerNames,
      required: true,
    },
    rollout: { flags: '--rollout <file>', summary: 'path of the log', complete: 'file' },
    home: {
      flags: '--home <dir>',
      summary: 'HOME used by this attempt only: its newest log is read',
      complete: 'folder',
    },
    json,
  },
  arguments: [attemptArgument],
  examples: [
    { line: 'zcl enrich --runner codex', note: 'for the attempt that the environment names' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../attempts/enrich/command.ts')).runEnrich(args[0], options, host),
})

export const exportCommand = command({
  name: 'export',
  summary: 'Export evidence to other formats',
  description:
    'OTLP JSON with OpenTelemetry names, ATIF trajectories, JUnit for CI, CSV or the events as ' +
    'JSONL. Scans everything for secrets first: a match stops the export before any output, ' +
    'unless --redact replaces it.',
  options: {
    format: {
      flags: '--format <format>',
      summary: 'output format',
      choices: exportFormats,
      required: true,
    },
    out: {
      flags: '--out <file>',
      summary: 'write to this file instead of stdout',
      complete: 'file',
    },
    redact: { flags: '--redact', summary: 'replace what looks like a secret and continue' },
    json: { flags: '--json', summary: 'with --out: print one JSON document' },
  },
  arguments: [evidenceArgument],
  examples: [
    { line: 'zcl export --format junit --out junit.xml <runDir>', note: 'for a CI server' },
    { line: 'zcl export --format otlp-json <runDir> | curl -d @- ...', note: 'for a collector' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../attempts/export/command.ts')).runExport(args[0], options, host),
})

const logArguments: Readonly<Record<ImportFormat, { name: string; summary: string }>> = {
  inspect: { name: 'file', summary: 'an .eval or .json log of Inspect' },
  harbor: { name: 'dir', summary: 'the folder of a job or a trial of Harbor' },
  atif: { name: 'file', summary: 'a trajectory, or a list of them' },
  promptfoo: { name: 'file', summary: 'the JSON or JSON lines of promptfoo eval' },
  otlp: { name: 'file', summary: 'OTLP as JSON, JSON lines or protocol buffers' },
  codex: { name: 'path', summary: 'a rollout, or a folder of them' },
  claude: { name: 'path', summary: 'a session, or a folder of them' },
  opencode: { name: 'path', summary: 'opencode.db or its storage folder' },
  gemini: { name: 'path', summary: 'a session, or a folder of them' },
  pi: { name: 'path', summary: 'a session, or a folder of them' },
}

export const importCommand = command({
  name: 'import',
  summary: 'Import the logs of other programs as a run',
  commands: importFormats.map((format) =>
    command({
      name: format,
      summary: `Import ${logArguments[format].summary}`,
      description:
        'Writes a run with one attempt per sample, trial, trajectory or session: calls, messages, ' +
        'outcome and usage. Counts the records that have no place in an attempt. Importing the same ' +
        'log again changes nothing.',
      options: {
        suite: { flags: '--suite <id>', summary: 'name of the suite, instead of that of the log' },
        outRoot,
        json,
      },
      arguments: [{ ...logArguments[format], required: true, complete: 'file' }],
      run: async ({ options, args, host }) =>
        (await import('../import/command.ts')).runImport(format, args[0] ?? '', options, host),
    }),
  ),
})
