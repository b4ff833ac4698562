// Commands of the lab about one attempt: its forks, its judge, its native runner and its relay.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { attemptArgument, json, outRoot } from '../options.ts'
import { ownLauncher } from '../../programs/programs.ts'
import {
  approvalAnswers,
  approvalPolicies,
  effortPolicies,
  sandboxModes,
} from '@zee/evidence/vocabulary'

const command = commandFor({})

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
    (await import('../../lab/fork/command.ts')).runForkCommand(args, options, {
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
    (await import('../../lab/judge/command.ts')).runJudge(args[0], options, host),
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
    effortPolicy: {
      flags: '--effort-policy <policy>',
      summary: 'required: fail if the model or the effort is not the requested one',
      choices: effortPolicies,
    },
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
    (await import('../../lab/native/command.ts')).runCodexAppServer(options, host),
})

export const relay = command({
  name: 'relay',
  summary: 'Forward loopback ports to the sockets of a folder',
  hidden: true,
  arguments: [{ name: 'folder', summary: 'the folder of the sockets', required: true }],
  run: async ({ args }) =>
    (await import('../../lab/gateway/relay/command.ts')).runRelay(args[0] ?? ''),
})
