// The commands about attempts and runs.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { envFormats } from '@zee/evidence/attempt'
import { isolationModels, modes, timeoutStarts } from '@zee/evidence/vocabulary'
import { attemptArgument, blindTerms, json, outRoot, parseRunId, strict } from './options.ts'

const command = commandFor({})

const filters = {
  suite: { flags: '--suite <id>', summary: 'only this suite' },
  mission: { flags: '--mission <id>', summary: 'only this mission' },
  status: {
    flags: '--status <status>',
    summary: 'only attempts with this status',
    choices: ['any', 'ok', 'fail', 'missing_feedback'],
    default: 'any',
  },
  tag: { flags: '--tag <tag>', summary: 'only missions with this tag' },
  limit: { flags: '--limit <n>', summary: 'list at most <n>', parse: wholeNumber(0) },
  outRoot,
  json,
} as const satisfies OptionTable

export const attempt = command({
  name: 'attempt',
  summary: 'Start, list and finish attempts',
  commands: [
    command({
      name: 'start',
      summary: 'Create an attempt and print the environment of its agent',
      description:
        'Creates or joins a run, allocates the next attempt index and prints the ids, the folder ' +
        'and the environment for the agent under test.',
      options: {
        suite: { flags: '--suite <id>', summary: 'the suite', required: true },
        mission: { flags: '--mission <id>', summary: 'the mission', required: true },
        prompt: { flags: '--prompt <text>', summary: 'prompt, stored unchanged as prompt.txt' },
        suiteFile: {
          flags: '--suite-file <file>',
          summary: 'YAML or JSON suite, stored with the run',
          complete: 'file',
        },
        runId: {
          flags: '--run-id <id>',
          summary: 'join this run, or create it under this id',
          parse: parseRunId,
        },
        agentId: {
          flags: '--agent-id <id>',
          summary: "the runner's id of the agent, for correlation",
        },
        mode: {
          flags: '--mode <mode>',
          summary: 'ci treats incomplete evidence as an error (default discovery)',
          choices: modes,
        },
        retry: {
          flags: '--retry <n>',
          summary: 'number of this try, from 1',
          parse: wholeNumber(1),
        },
        outRoot,
        timeoutMs: {
          flags: '--timeout-ms <n>',
          summary: 'deadline of the attempt',
          parse: wholeNumber(1),
        },
        timeoutStart: {
          flags: '--timeout-start <anchor>',
          summary: 'event that starts the deadline',
          choices: timeoutStarts,
        },
        isolationModel: {
          flags: '--isolation-model <model>',
          summary: 'how the agent is isolated',
          choices: isolationModels,
        },
        blind: { flags: '--blind', summary: 'refuse a prompt that names the harness' },
        blindTerms,
        envFile: {
          flags: '--env-file <file>',
          summary: 'also write the environment to this file',
          complete: 'file',
        },
        envFormat: {
          flags: '--env-format <format>',
          summary: 'format of --env-file (default sh)',
          choices: envFormats,
        },
        printEnv: {
          flags: '--print-env <format>',
          summary: 'print only the environment, in this format',
          choices: envFormats,
        },
        json,
      },
      examples: [
        {
          line: 'zcl attempt start --suite smoke --mission latest-title --json',
          note: 'ids, folder and environment for one agent',
        },
        {
          line: 'eval "$(zcl attempt start --suite smoke --mission m --print-env sh)"',
          note: 'record the rest of this shell session',
        },
      ],
      run: async ({ options, host }) =>
        (await import('../attempts/start/command.ts')).runAttemptStart(options, host),
    }),
    command({
      name: 'env',
      summary: "Print an attempt's environment",
      options: {
        format: {
          flags: '--format <format>',
          summary: 'format of the lines',
          choices: envFormats,
          default: 'sh',
        },
        json,
      },
      arguments: [attemptArgument],
      run: async ({ options, args, host }) =>
        (await import('../attempts/attempt/command.ts')).runAttemptEnv(args[0], options, host),
    }),
    command({
      name: 'list',
      summary: 'List attempts, newest first',
      options: filters,
      run: async ({ options, host }) =>
        (await import('../attempts/list/command.ts')).runAttemptList(options, host),
    }),
    command({
      name: 'latest',
      summary: 'Print the newest attempt',
      options: filters,
      run: async ({ options, host }) =>
        (await import('../attempts/list/command.ts')).runAttemptLatest(options, host),
    }),
    command({
      name: 'finish',
      summary: 'Report, validate and check expectations in one step',
      options: {
        strict,
        strictExpect: {
          flags: '--strict-expect',
          summary: 'fail a mission without expectations',
        },
        json,
      },
      arguments: [attemptArgument],
      run: async ({ options, args, host }) =>
        (await import('../attempts/attempt/command.ts')).runAttemptFinish(args[0], options, host),
    }),
    command({
      name: 'explain',
      summary: 'Summarise an attempt and show its last calls',
      options: {
        strict,
        tail: {
          flags: '--tail <n>',
          summary: 'number of last calls to show',
          parse: wholeNumber(0),
          default: '20',
        },
        json,
      },
      arguments: [attemptArgument],
      run: async ({ options, args, host }) =>
        (await import('../attempts/attempt/command.ts')).runAttemptExplain(args[0], options, host),
    }),
  ],
})

const runFilters = { suite: filters.suite, limit: filters.limit, outRoot, json } as const

export const runs = command({
  name: 'runs',
  summary: 'List runs',
  description: 'Without a command: list.',
  options: runFilters,
  commands: [
    command({
      name: 'list',
      summary: 'List runs, newest first',
      options: runFilters,
      run: async ({ options, host }) =>
        (await import('../attempts/runs/command.ts')).runRunsList(options, host),
    }),
  ],
  run: async ({ options, host }) =>
    (await import('../attempts/runs/command.ts')).runRunsList(options, host),
})
