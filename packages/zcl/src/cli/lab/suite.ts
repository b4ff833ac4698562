// The commands `zcl suite`, `zcl worker` and `zcl collect`.
import { commandFor } from '@zee/core/command-line'
import { json, outRoot, parseRunId } from '../options.ts'
import { parseDoses } from '../../faults/faults.ts'
import { ownLauncher } from '../../programs/programs.ts'
import {
  profile,
  queueOptions,
  workOptions,
  total,
  sampleOptions,
  sequentialOptions,
} from './options.ts'

const command = commandFor({})

const suiteFile = {
  flags: '--file <file>',
  summary: 'read the suite from this YAML or JSON file',
  required: true,
  complete: 'file',
} as const

const runnerArgument = { name: 'runner', summary: 'the runner and its arguments', variadic: true }

export const suite = command({
  name: 'suite',
  summary: 'Run missions with an agent and count the outcomes',
  commands: [
    command({
      name: 'run',
      summary: 'Run a suite: one attempt per mission, or --total attempts',
      description:
        'Starts the runner once for each attempt, with the environment of the attempt, its own HOME ' +
        'and scratch folder, and the prompt in the file ZCL_PROMPT_PATH. Its output goes to stderr. ' +
        'Exit 0 when all passed, 2 when some did not, 1 when the harness failed.',
      usage: '--file <file> [options] -- <runner> [args...]',
      options: {
        file: suiteFile,
        runId: {
          flags: '--run-id <id>',
          summary: 'create the run under this id',
          parse: parseRunId,
        },
        total,
        ...sampleOptions,
        dose: {
          flags: '--dose <percentages>',
          summary: 'run once per rate of --inject, as in 0,5,10,20, and print the curve',
          parse: parseDoses,
        },
        ...sequentialOptions,
        ...profile,
        ...workOptions,
      },
      arguments: [runnerArgument],
      examples: [
        {
          line: 'zcl suite run --file suite.yaml --until-decided --against <run> -- ./agent.sh',
          note: 'add attempts until they are better, worse or equal',
        },
        {
          line: 'zcl suite run --file suite.yaml --parallel 4 --total 40 -- ./agent.sh',
          note: 'forty attempts, four at a time',
        },
        {
          line: 'zcl suite run --file suite.yaml --shim git --inject error --dose 0,5,10,20 -- ./agent.sh',
          note: 'how many failing calls does the agent survive?',
        },
        {
          line: 'zcl suite run --file suite.yaml --shim git -- ./agent.sh',
          note: 'the agent types git; every call is traced',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../../lab/suite/command.ts')).runSuiteRun(args, options, {
          host,
          launcher: ownLauncher(),
        }),
    }),
    command({
      name: 'resume',
      summary: 'Run the attempts of a run that have no valid outcome yet',
      usage: '--run-id <id> [options] [-- <runner> [args...]]',
      options: {
        runId: { flags: '--run-id <id>', summary: 'the run', required: true, parse: parseRunId },
        ...workOptions,
      },
      arguments: [runnerArgument],
      run: async ({ options, args, host }) =>
        (await import('../../lab/suite/command.ts')).runSuiteResume(args, options, {
          host,
          launcher: ownLauncher(),
        }),
    }),
    command({
      name: 'plan',
      summary: 'Allocate one attempt per mission, or write one job file per attempt',
      usage: '--file <file> [options] [--jobs <dir> -- <runner> [args...]]',
      options: {
        file: suiteFile,
        runId: {
          flags: '--run-id <id>',
          summary: 'join this run, or create it under this id',
          parse: parseRunId,
        },
        total,
        ...sampleOptions,
        jobs: {
          flags: '--jobs <dir>',
          summary: 'write self-contained jobs for zcl worker --job, and allocate nothing',
          complete: 'folder',
        },
        ...profile,
        outRoot,
        json,
      },
      arguments: [runnerArgument],
      examples: [
        { line: 'zcl suite plan --file suite.yaml --json', note: 'ids and environments' },
        {
          line: 'zcl suite plan --file suite.yaml --jobs jobs -- ./agent.sh',
          note: 'one file per attempt, for Slurm or Kubernetes',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../../lab/suite/plan/command.ts')).runSuitePlan(args, options, {
          host,
          launcher: ownLauncher(),
        }),
    }),
  ],
})

export const worker = command({
  name: 'worker',
  summary: 'Run planned attempts of any run below the output root',
  description:
    'Joins every run with open attempts and ends when none are left. With --job it runs the one ' +
    'attempt of a job file and packs it for zcl collect. If a worker dies during an attempt, another ' +
    'worker runs it again; the evidence of the first try stays.',
  options: {
    outRoot,
    runId: { flags: '--run-id <id>', summary: 'join only this run', parse: parseRunId },
    parallel: workOptions.parallel,
    ...queueOptions,
    watch: { flags: '--watch', summary: 'wait for more work instead of ending' },
    job: { flags: '--job <file>', summary: 'run only this job', complete: 'file' },
    pack: {
      flags: '--pack <dir>',
      summary: 'with --job: write the packed attempt here (default: the folder of the job)',
      complete: 'folder',
    },
    json,
  },
  examples: [
    {
      line: 'zcl worker --parallel 4',
      note: 'four attempts at a time, on any machine that sees the root',
    },
    { line: 'zcl worker --job jobs/001-greet-r1.job.json', note: 'for Slurm and Kubernetes' },
  ],
  run: async ({ options, host }) =>
    (await import('../../lab/worker/command.ts')).runWorker(options, {
      host,
      launcher: ownLauncher(),
    }),
})

export const collect = command({
  name: 'collect',
  summary: 'Add packed attempts to their runs',
  options: { outRoot, json },
  arguments: [
    {
      name: 'file|dir',
      summary: 'packed attempts, or folders of them',
      required: true,
      variadic: true,
      complete: 'file',
    },
  ],
  examples: [{ line: 'zcl collect jobs', note: 'collecting an attempt twice counts it once' }],
  run: async ({ options, args, host }) =>
    (await import('../../lab/collect/command.ts')).runCollect(args, options, host),
})
