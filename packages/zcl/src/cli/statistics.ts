// The commands `zcl stats`, `zcl compare` and `zcl plan`.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { json } from './options.ts'
import { failOnValues, formats, parseKs, parseLimit, parseShare } from '../compare/compare.ts'

const command = commandFor({})

const seed = {
  flags: '--seed <n>',
  summary: 'seed the resampling; the same seed gives the same answer',
  parse: wholeNumber(0),
  default: '1',
} as const

const resamples = {
  flags: '--resamples <n>',
  summary: 'resample this many times (fewer for very large runs)',
  parse: wholeNumber(100),
  default: '10000',
} as const

const effect = {
  flags: '--effect <share>',
  summary: 'plan attempts for a difference of this size',
  parse: parseShare,
  default: '0.1',
} as const

const power = {
  flags: '--power <share>',
  summary: 'plan to detect that difference with this probability',
  parse: parseShare,
  default: '0.8',
} as const

const alpha = {
  flags: '--alpha <share>',
  summary: 'accept this rate of false differences',
  parse: parseShare,
  default: '0.05',
} as const

export const stats = command({
  name: 'stats',
  summary: 'Print pass rates with intervals, pass@k, pass^k and the cost of attempts',
  description:
    'By suite and by mission, over all runs that are named. Attempts count together when their ' +
    'mission has the same name, prompt and expectations. Infra failures and attempts without an ' +
    'outcome are counted separately, never as failed.',
  options: {
    k: {
      flags: '--k <list>',
      summary: 'compute pass@k and pass^k for these k',
      parse: parseKs,
      default: '1,2,3,5,10',
    },
    seed,
    resamples,
    json,
  },
  arguments: [
    {
      name: 'run',
      summary: 'run ids or folders of runs',
      required: true,
      variadic: true,
      complete: 'folder',
    },
  ],
  examples: [{ line: 'zcl stats .zcl/runs/*', note: 'all runs below this folder' }],
  run: async ({ options, args, host }) =>
    (await import('../compare/stats/command.ts')).runStats(args, options, host),
})

export const compare = command({
  name: 'compare',
  summary: 'Tell whether run B is better than run A, worse, equal, or undecided',
  description:
    'Pairs the runs by mission (same name, prompt and expectations) and gives two verdicts: on these ' +
    'missions (stratified permutation test) and on missions like these (sign-flip test by mission, ' +
    'from 6 missions on). Equal needs an equivalence test within --margin. Infra failures and ' +
    'missing outcomes are bounded, never dropped. Exit 0 without a gate; with --fail-on, exit 2 when ' +
    'the gate stops; exit 1 when the runs cannot be compared.',
  options: {
    alsoA: {
      flags: '--also-a <run>',
      summary: 'add a run to side A',
      repeatable: true,
      complete: 'folder',
    },
    alsoB: {
      flags: '--also-b <run>',
      summary: 'add a run to side B',
      repeatable: true,
      complete: 'folder',
    },
    seed,
    resamples,
    alpha,
    margin: {
      flags: '--margin <share>',
      summary: 'call pass rates equal when they differ by less than this',
      parse: parseShare,
      default: '0.05',
    },
    failOn: {
      flags: '--fail-on <verdict>',
      summary: 'exit 2 when B is worse on these missions, or has more infra failures',
      choices: failOnValues,
    },
    maxInfra: {
      flags: '--max-infra <share>',
      summary: 'with --fail-on: stop when B lost more of its attempts to infra failures',
      parse: parseLimit,
      default: '0.1',
    },
    eachMission: {
      flags: '--each-mission',
      summary: 'with --fail-on: stop also when a single mission is worse',
    },
    effect,
    power,
    anyProfile: {
      flags: '--any-profile',
      summary: 'compare runs that have different settings',
    },
    format: { flags: '--format <format>', summary: 'choose the output format', choices: formats },
    out: {
      flags: '--out <file>',
      summary: 'write the answer to this file instead of stdout',
      complete: 'file',
    },
    json,
  },
  arguments: [
    { name: 'A', summary: 'the run before: id or folder', required: true, complete: 'folder' },
    { name: 'B', summary: 'the run after', required: true, complete: 'folder' },
  ],
  examples: [
    { line: 'zcl compare <runA> <runB> --fail-on worse', note: 'a gate for pipelines' },
    {
      line: 'zcl compare <runA> <runB> --format markdown --out comment.md',
      note: 'for a pull request',
    },
  ],
  run: async ({ options, args, host }) =>
    (await import('../compare/command.ts')).runCompare(
      args[0] ?? '',
      args[1] ?? '',
      { ...options, failOn: options.failOn as 'worse' | undefined },
      host,
    ),
})

export const plan = command({
  name: 'plan',
  summary: 'Tell how many attempts detect a difference of pass rates',
  description:
    'The number of attempts per mission and side at which zcl compare finds a difference of --effect ' +
    'on these missions with probability --power.',
  options: {
    missions: {
      flags: '--missions <n>',
      summary: 'plan for this many missions',
      parse: wholeNumber(1),
      required: true,
    },
    effect: {
      flags: '--effect <share>',
      summary: 'detect a difference of this size',
      parse: parseShare,
      required: true,
    },
    power,
    rate: {
      flags: '--rate <share>',
      summary: 'assume this pass rate of A',
      parse: parseLimit,
      default: '0.5',
    },
    alpha,
    json,
  },
  examples: [
    {
      line: 'zcl plan --missions 20 --effect 0.1',
      note: 'attempts per mission that show a change of ten points',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../compare/plan/command.ts')).runPlan(options, host),
})
