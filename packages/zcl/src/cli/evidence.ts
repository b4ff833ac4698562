// The commands that add to the evidence of an attempt, add it up, check it or hand it on.
import { commandFor } from '@zee/core/command-line'
import { classifications, exportFormats, noteKinds, runnerNames } from '@zee/evidence/vocabulary'
import { attemptArgument, evidenceArgument, json, parseList, strict } from './options.ts'

const command = commandFor({})

export const feedback = command({
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
  run: async ({ options, host }) =>
    (await import('../attempts/feedback/command.ts')).runFeedback(options, host),
})

export const note = command({
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
  run: async ({ options, host }) =>
    (await import('../attempts/note/command.ts')).runNote(options, host),
})

export const report = command({
  name: 'report',
  summary: 'Compute and write the report of an attempt or a run',
  options: { strict, json },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/report/command.ts')).runReport(args[0] ?? '', options, host),
})

export const show = command({
  name: 'show',
  summary: 'Show the report of an attempt or a run; writes nothing',
  options: { json },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/show/command.ts')).runShow(args[0] ?? '', options, host),
})

export const validate = command({
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
    (await import('../attempts/validate/command.ts')).runValidate(args[0] ?? '', options, host),
})

export const expect = command({
  name: 'expect',
  summary: 'Check what the suite expects of an attempt or of every attempt of a run',
  options: {
    strict: { flags: '--strict', summary: 'a mission without expectations is a failure' },
    json,
  },
  arguments: [evidenceArgument],
  run: async ({ options, args, host }) =>
    (await import('../attempts/expect/command.ts')).runExpect(args[0] ?? '', options, host),
})

export const enrich = command({
  name: 'enrich',
  summary: "Add what the runner's own log says; it never changes a score",
  description:
    "Looks for the runner's log by the agent id of the attempt, then by its prompt, and writes " +
    'runner.ref.json and runner.metrics.json. What the log does not say is left out.',
  options: {
    runner: {
      flags: '--runner <name>',
      summary: 'which program ran the agent',
      choices: runnerNames,
      required: true,
    },
    rollout: { flags: '--rollout <file>', summary: 'the log itself', complete: 'file' },
    home: {
      flags: '--home <dir>',
      summary: 'HOME of this attempt alone: its newest log is the one',
      complete: 'folder',
    },
    json,
  },
  arguments: [attemptArgument],
  examples: [{ line: 'zcl enrich --runner codex', note: 'for the attempt of this environment' }],
  run: async ({ options, args, host }) =>
    (await import('../attempts/enrich/command.ts')).runEnrich(args[0], options, host),
})

export const exportCommand = command({
  name: 'export',
  summary: 'Write evidence in the form of another program',
  description:
    'OTLP JSON with OpenTelemetry names, ATIF trajectories, JUnit for CI, CSV or the events as ' +
    'JSONL. Everything is looked through for secrets first; a find ends the export before a byte ' +
    'has left, unless --redact replaces it.',
  options: {
    format: {
      flags: '--format <format>',
      summary: 'the form',
      choices: exportFormats,
      required: true,
    },
    out: {
      flags: '--out <file>',
      summary: 'write it to this file instead of stdout',
      complete: 'file',
    },
    redact: { flags: '--redact', summary: 'replace what looks like a secret and go on' },
    json: { flags: '--json', summary: 'with --out: print one JSON document' },
  },
  arguments: [evidenceArgument],
  examples: [
    { line: 'zcl export --format junit --out junit.xml <runDir>', note: 'for a CI server' },
    { line: 'zcl export --format otlp-json <runDir> | curl -d @- ...', note: 'for a collector' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../attempts/export/command.ts')).runExport(args[0] ?? '', options, host),
})
