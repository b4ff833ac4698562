// The commands of the lab: suites, workers and jobs.
import { commandFor, wholeNumber, type OptionTable } from '@zee/core/command-line'
import { modes, timeoutStarts } from '@zee/evidence/vocabulary'
import { blindTerms, json, outRoot, parseRunId } from './options.ts'
import { ownLauncher } from '../programs/programs.ts'
import { feedbackPolicies, finalizationModes, resultChannels } from '../lab/lab.ts'
import { sessionIsolations } from '../lab/lab.ts'

const command = commandFor({})

const suiteFile = {
  flags: '--file <file>',
  summary: 'the suite, YAML or JSON',
  required: true,
  complete: 'file',
} as const

const profile = {
  mode: { flags: '--mode <mode>', summary: 'instead of that of the suite', choices: modes },
  timeoutMs: {
    flags: '--timeout-ms <n>',
    summary: 'deadline of each attempt',
    parse: wholeNumber(1),
  },
  timeoutStart: {
    flags: '--timeout-start <anchor>',
    summary: 'from when the deadline counts',
    choices: timeoutStarts,
  },
  feedbackPolicy: {
    flags: '--feedback-policy <policy>',
    summary: 'what the silence of an agent is: a failure, or a typed infra failure (auto_fail)',
    choices: feedbackPolicies,
  },
  finalizationMode: {
    flags: '--finalization-mode <mode>',
    summary: 'the same, or the outcome from the result that the runner leaves',
    choices: finalizationModes,
  },
  resultChannel: {
    flags: '--result-channel <channel>',
    summary: 'where the runner leaves its result',
    choices: resultChannels,
  },
  resultFile: {
    flags: '--result-file <path>',
    summary: "below the attempt's folder (mission.result.json unless said otherwise)",
  },
  resultMarker: {
    flags: '--result-marker <text>',
    summary: 'what a result line of stdout starts with (ZCL_RESULT_JSON: unless said otherwise)',
  },
  resultMinTurn: {
    flags: '--result-min-turn <n>',
    summary: 'a result of an earlier turn does not count',
    parse: wholeNumber(0),
  },
  shim: {
    flags: '--shim <tool>',
    summary: 'a wrapper of this name comes first on PATH and traces the tool',
    repeatable: true,
  },
  sessionIsolation: {
    flags: '--session-isolation <how>',
    summary: 'how agents are kept apart',
    choices: sessionIsolations,
  },
  blind: { flags: '--blind', summary: 'refuse prompts that name the harness' },
  blindTerms,
  captureRunnerIo: {
    flags: '--capture-runner-io',
    summary: "keep the runner's command and output beside the trace, redacted",
  },
  homeTemplate: {
    flags: '--home-template <dir>',
    summary: "what every attempt's own HOME begins with",
    complete: 'folder',
  },
} as const satisfies OptionTable

const queueOptions = {
  queue: {
    flags: '--queue <url>',
    summary: 'a queue on Redis (redis://host:port) instead of the embedded one',
  },
  leaseMs: {
    flags: '--lease-ms <n>',
    summary: 'with --queue: silence after which a worker counts as dead',
    parse: wholeNumber(500),
    default: '30000',
  },
} as const satisfies OptionTable

const workOptions = {
  outRoot,
  parallel: {
    flags: '--parallel <n>',
    summary: 'attempts at a time',
    parse: wholeNumber(1),
    default: '1',
  },
  failFast: { flags: '--fail-fast', summary: 'begin nothing more after the first that fails' },
  progressJsonl: {
    flags: '--progress-jsonl <file>',
    summary: 'one JSON line per step; - is stdout (stderr with --json)',
    complete: 'file',
  },
  ...queueOptions,
  json,
} as const satisfies OptionTable

const total = {
  flags: '--total <n>',
  summary: 'attempts in all, missions in turn (one of each unless said otherwise)',
  parse: wholeNumber(1),
} as const

const runnerArgument = { name: 'runner', summary: 'the runner and its arguments', variadic: true }

export const suite = command({
  name: 'suite',
  summary: 'Run missions with an agent and add up what came out',
  commands: [
    command({
      name: 'run',
      summary: 'Run a suite: one attempt per mission, or as many as you say',
      description:
        'Starts the runner once for each attempt, with the environment of the attempt, a HOME and ' +
        'a scratch folder of its own, and the prompt in the file ZCL_PROMPT_PATH. Its output goes ' +
        'to stderr. Exit 0 when all passed, 2 when some did not, 1 when the harness failed.',
      usage: '--file <file> [options] -- <runner> [args...]',
      options: {
        file: suiteFile,
        runId: {
          flags: '--run-id <id>',
          summary: 'create the run under this id',
          parse: parseRunId,
        },
        total,
        ...profile,
        ...workOptions,
      },
      arguments: [runnerArgument],
      examples: [
        {
          line: 'zcl suite run --file suite.yaml --parallel 4 --total 40 -- ./agent.sh',
          note: 'forty attempts, four at a time',
        },
        {
          line: 'zcl suite run --file suite.yaml --shim git -- ./agent.sh',
          note: 'the agent types git; every call is traced',
        },
      ],
      run: async ({ options, args, host }) =>
        (await import('../lab/suite/command.ts')).runSuiteRun(args, options, {
          host,
          launcher: ownLauncher(),
        }),
    }),
    command({
      name: 'resume',
      summary: 'Repeat what has no valid outcome yet',
      usage: '--run-id <id> [options] [-- <runner> [args...]]',
      options: {
        runId: { flags: '--run-id <id>', summary: 'the run', required: true, parse: parseRunId },
        ...workOptions,
      },
      arguments: [runnerArgument],
      run: async ({ options, args, host }) =>
        (await import('../lab/suite/command.ts')).runSuiteResume(args, options, {
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
        (await import('../lab/suite/plan/command.ts')).runSuitePlan(args, options, host),
    }),
  ],
})

export const worker = command({
  name: 'worker',
  summary: 'Take attempts of any run below the output root and run them',
  description:
    'Joins every run that has work to give and ends when nothing is left. With --job it runs the ' +
    'one attempt of a job file and packs it for zcl collect. A worker that dies in the middle of an ' +
    'attempt loses nothing: another one runs it again, and the evidence of the dead try stays.',
  options: {
    outRoot,
    runId: { flags: '--run-id <id>', summary: 'only this run', parse: parseRunId },
    parallel: workOptions.parallel,
    ...queueOptions,
    watch: { flags: '--watch', summary: 'stay and wait for more work' },
    job: { flags: '--job <file>', summary: 'run this job alone', complete: 'file' },
    pack: {
      flags: '--pack <dir>',
      summary: 'with --job: where the packed attempt goes (the folder of the job)',
      complete: 'folder',
    },
    json,
  },
  examples: [
    { line: 'zcl worker --parallel 4', note: 'four more hands, on any machine that sees the root' },
    { line: 'zcl worker --job jobs/001-greet-r1.job.json', note: 'for Slurm and Kubernetes' },
  ],
  run: async ({ options, host }) =>
    (await import('../lab/worker/command.ts')).runWorker(options, {
      host,
      launcher: ownLauncher(),
    }),
})

export const collect = command({
  name: 'collect',
  summary: 'Bring packed attempts home into their runs',
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
  examples: [{ line: 'zcl collect jobs', note: 'each attempt counts once, however often' }],
  run: async ({ options, args, host }) =>
    (await import('../lab/collect/command.ts')).runCollect(args, options, host),
})
