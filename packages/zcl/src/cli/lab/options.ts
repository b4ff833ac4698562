// Options that the commands of the lab share: how attempts are measured, queues and workers.
import { wholeNumber, type OptionTable } from '@zee/core/command-line'
import { modes, timeoutStarts } from '@zee/evidence/vocabulary'
import { blindTerms, ignoreOptions, injectOptions, json, outRoot } from '../options.ts'
import { parseShare } from '../../compare/compare.ts'
import {
  feedbackPolicies,
  finalizationModes,
  resultChannels,
  sessionIsolations,
} from '../../lab/lab.ts'

export const profile = {
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

export const queueOptions = {
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

export const workOptions = {
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

export const total = {
  flags: '--total <n>',
  summary: 'run this many attempts, missions in turn (default: one per mission)',
  parse: wholeNumber(1),
} as const

export const sampleOptions = {
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
export const sequentialOptions = {
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
    summary: 'with --until-decided: pass rates that differ by less are equal (default 0.05)',
    parse: parseShare,
  },
  effect: {
    flags: '--effect <share>',
    summary:
      'with --until-decided: print the savings against a plan for this difference (default 0.1)',
    parse: parseShare,
  },
} as const satisfies OptionTable
