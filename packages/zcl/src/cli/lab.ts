// The commands `zcl suite`, `zcl worker` and `zcl collect`.
import { commandFor, wholeNumber, type OptionTable } from '@zee/core/command-line'
import { modes, timeoutStarts } from '@zee/evidence/vocabulary'
import { attemptArgument, blindTerms, ignoreOptions, injectOptions, json } from './options.ts'
import { outRoot, parseRunId } from './options.ts'
import { parseDoses } from '../faults/faults.ts'
import { parseShare } from '../compare/compare.ts'
import { ownLauncher } from '../programs/programs.ts'
import { feedbackPolicies, finalizationModes, resultChannels } from '../lab/lab.ts'
import { approvalAnswers, approvalPolicies, sandboxModes } from '../lab/lab.ts'
import { sessionIsolations } from '../lab/lab.ts'

const command = commandFor({})

const suiteFile = {
  flags: '--file <file>',
  summary: 'read the suite from this YAML or JSON file',
  required: true,
  complete: 'file',
} as const

const profile = {
  mode: { flags: '--mode <mode>', summary: 'override the mode of the suite', choices: modes },
  timeoutMs: {
    flags: '--timeout-ms <n>',
    summary: 'limit the time of each attempt',
    parse: wholeNumber(1),
  },
  timeoutStart: {
    flags: '--timeout-start <anchor>',
    summary: 'start the time limit at this event',
    choices: timeoutStarts,
  },
  feedbackPolicy: {
    flags: '--feedback-policy <policy>',
    summary: 'count an agent without an answer as failed (strict) or as infra (auto_fail)',
    choices: feedbackPolicies,
  },
  finalizationMode: {
    flags: '--finalization-mode <mode>',
    summary: 'the same, or take the outcome from the result that the runner leaves',
    choices: finalizationModes,
  },
  resultChannel: {
    flags: '--result-channel <channel>',
    summary: 'read the result of the runner from a file or from stdout',
    choices: resultChannels,
  },
  resultFile: {
    flags: '--result-file <path>',
    summary: 'read the result from this file in the attempt folder (default mission.result.json)',
  },
  resultMarker: {
    flags: '--result-marker <text>',
    summary: 'read results from stdout lines with this prefix (default ZCL_RESULT_JSON:)',
  },
  resultMinTurn: {
    flags: '--result-min-turn <n>',
    summary: 'ignore results of earlier turns',
    parse: wholeNumber(0),
  },
  shim: {
    flags: '--shim <tool>',
    summary: 'put a wrapper of this name first on PATH that traces the tool',
    repeatable: true,
  },
  requireShim: {
    flags: '--require-shim',
    summary: 'fail an attempt that never calls one of its shims',
  },
  ...ignoreOptions,
  inheritProfile: {
    flags: '--inherit-profile',
    summary: 'let login shells of the agent read your own start files too',
  },
  sessionIsolation: {
    flags: '--session-isolation <how>',
    summary: 'choose how agents are isolated',
    choices: sessionIsolations,
  },
  blind: { flags: '--blind', summary: 'refuse prompts that name the harness' },
  blindTerms,
  captureRunnerIo: {
    flags: '--capture-runner-io',
    summary: "store the runner's command and output with the attempt, redacted",
  },
  allowUnproven: {
    flags: '--allow-unproven',
    summary: 'let an attempt pass without a recorded action, for missions that need none',
  },
  trustTrace: {
    flags: '--trust-trace',
    summary:
      'accept evidence that was not reported to the harness, as in a sandbox without sockets',
  },
  homeTemplate: {
    flags: '--home-template <dir>',
    summary: 'copy this folder into the HOME of every attempt',
    complete: 'folder',
  },
  ...injectOptions,
} as const satisfies OptionTable

const queueOptions = {
  queue: {
    flags: '--queue <url>',
    summary: 'use a queue on Redis (redis://host:port) instead of the embedded one',
  },
  leaseMs: {
    flags: '--lease-ms <n>',
    summary: 'with --queue: treat a worker as dead after this time without a heartbeat',
    parse: wholeNumber(500),
    default: '30000',
  },
} as const satisfies OptionTable

const workOptions = {
  outRoot,
  parallel: {
    flags: '--parallel <n>',
    summary: 'run this many attempts at the same time',
    parse: wholeNumber(1),
    default: '1',
  },
  failFast: {
    flags: '--fail-fast',
    summary: 'start no further attempt after the first one that does not pass',
  },
  progressJsonl: {
    flags: '--progress-jsonl <file>',
    summary: 'write one JSON line per step; - is stdout (stderr with --json)',
    complete: 'file',
  },
  ...queueOptions,
  json,
} as const satisfies OptionTable

const total = {
  flags: '--total <n>',
  summary: 'run this many attempts, missions in turn (default: one per mission)',
  parse: wholeNumber(1),
} as const

const sampleOptions = {
  sample: {
    flags: '--sample <n>',
    summary: 'use this many missions of the suite, drawn at random',
    parse: wholeNumber(1),
  },
  seed: {
    flags: '--seed <n>',
    summary: 'with --sample: the same seed draws the same missions',
    parse: wholeNumber(0),
    default: '1',
  },
} as const satisfies OptionTable

/** Options of a run that stops when it is decided. */
const sequentialOptions = {
  untilDecided: {
    flags: '--until-decided',
    summary: 'add one attempt per mission and round until a sequential test decides',
  },
  against: {
    flags: '--against <run>',
    summary: 'with --until-decided: compare with this run',
    complete: 'folder',
  },
  baseline: {
    flags: '--baseline',
    summary: 'with --until-decided: compare with the newest pinned run of the suite',
  },
  maxAttempts: {
    flags: '--max-attempts <n>',
    summary: 'with --until-decided: stop undecided after this many attempts in all',
    parse: wholeNumber(1),
  },
  margin: {
    flags: '--margin <share>',
    summary: 'with --until-decided: pass rates that differ by less are equal',
    parse: parseShare,
    default: '0.05',
  },
  effect: {
    flags: '--effect <share>',
    summary: 'with --until-decided: print the savings against a plan for this difference',
    parse: parseShare,
    default: '0.1',
  },
} as const satisfies OptionTable

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
        (await import('../lab/suite/command.ts')).runSuiteRun(args, options, {
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
        (await import('../lab/suite/plan/command.ts')).runSuitePlan(args, options, host),
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
    (await import('../lab/worker/command.ts')).runWorker(options, {
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
    (await import('../lab/collect/command.ts')).runCollect(args, options, host),
})

export const fork = command({
  name: 'fork',
  summary: 'Play an attempt again with one answer replaced',
  description:
    'Starts the agent again and answers its commands, MCP requests and HTTP requests from the trace of ' +
    'the attempt. The answer to the call --at is replaced by the patch: {"stdout", "stderr", ' +
    '"exitCode"} for a command, {"result"} or {"error"} for MCP and HTTP. What the trace does not hold ' +
    'comes from other attempts of the suite, or fails. Reports the first call that departs from the ' +
    'recording. Without a patch, the fork repeats the attempt.',
  usage: '<attemptDir> [--at <call> | --each] [--patch <file>] [--live] [-- <runner> [args...]]',
  options: {
    at: {
      flags: '--at <call>',
      summary: 'the call whose answer is replaced: 1 is the first call of a funnel',
      parse: wholeNumber(1),
    },
    patch: {
      flags: '--patch <file>',
      summary: 'the new answer, as JSON',
      complete: 'file',
    },
    each: { flags: '--each', summary: 'try the patch at every call that it fits' },
    live: {
      flags: '--live',
      summary: 'run real tools after the patched call, and for calls that no trace holds',
    },
    outRoot,
    json,
  },
  arguments: [
    { ...attemptArgument, required: true },
    { name: 'runner', summary: 'the runner, if the run does not name it', variadic: true },
  ],
  examples: [
    {
      line: 'zcl fork latest --at 2 --patch help.json',
      note: 'what if the second call had answered this?',
    },
    {
      line: 'zcl fork latest --each --patch empty.json',
      note: 'which call does the outcome hang on?',
    },
  ],
  run: async ({ options, args, host }) =>
    (await import('../lab/fork/command.ts')).runForkCommand(args, options, {
      host,
      launcher: ownLauncher(),
    }),
})

export const judge = command({
  name: 'judge',
  summary: 'Derive the verdict of a judge model again from its stored votes',
  description:
    'Reads judge.result.json of an attempt. Exit 0 when the verdict is the recorded one, 2 when it is not.',
  options: {
    live: { flags: '--live', summary: 'ask the model again instead, without the cache' },
    json,
  },
  arguments: [attemptArgument],
  examples: [{ line: 'zcl judge latest', note: 'nothing is asked and nothing is written' }],
  run: async ({ options, args, host }) =>
    (await import('../lab/judge/command.ts')).runJudge(args[0], options, host),
})

export const codexAppServer = command({
  name: 'codex-app-server',
  summary: 'Run the attempt of the environment with the Codex app server',
  description:
    'The runner codex_app_server of campaigns, and a runner for suites. Starts `codex app-server` ' +
    '(ZCL_CODEX_APP_SERVER_CMD), runs one turn with the prompt of the attempt, records its actions, ' +
    'messages and tokens, and takes the final answer as the outcome.',
  options: {
    model: { flags: '--model <name>', summary: 'model of the thread' },
    effort: { flags: '--effort <level>', summary: 'reasoning effort of the turn' },
    approvalPolicy: {
      flags: '--approval-policy <policy>',
      summary: 'when Codex asks before it acts',
      choices: approvalPolicies,
    },
    approvals: {
      flags: '--approvals <answer>',
      summary: 'the answer to every request for approval (default decline)',
      choices: approvalAnswers,
    },
    sandbox: { flags: '--sandbox <mode>', summary: 'sandbox of Codex', choices: sandboxModes },
    minStartIntervalMs: {
      flags: '--min-start-interval-ms <n>',
      summary: 'start the app servers of a run at least this far apart',
      parse: wholeNumber(0),
    },
    noFeedback: {
      flags: '--no-feedback',
      summary: 'print the answer only; the run takes the outcome from its result channel',
    },
  },
  examples: [
    {
      line: 'zcl suite run --file suite.yaml -- zcl codex-app-server --model gpt-5',
      note: 'one Codex thread per attempt',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../lab/native/command.ts')).runCodexAppServer(options, host),
})

export const relay = command({
  name: 'relay',
  summary: 'Forward loopback ports to the sockets of a folder',
  hidden: true,
  arguments: [{ name: 'folder', summary: 'the folder of the sockets', required: true }],
  run: async ({ args }) =>
    (await import('../lab/gateway/relay/command.ts')).runRelay(args[0] ?? ''),
})
