// The commands `zcl stats` and `zcl compare`.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { json } from './options.ts'
import { formats, parseKs, parseShare } from '../compare/compare.ts'

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
  summary: 'Tell whether run B is better than run A, worse, or within noise',
  description:
    'Pairs the runs by mission (same name, prompt and expectations), averages attempts inside a ' +
    'mission, and gives the difference with a bootstrap interval and a permutation p-value. Exit 0 ' +
    'for better, equal or within noise, 2 for worse beyond noise, 1 when the runs cannot be compared.',
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
    alpha: {
      flags: '--alpha <share>',
      summary: 'accept this rate of false differences',
      parse: parseShare,
      default: '0.05',
    },
    effect: {
      flags: '--effect <share>',
      summary: 'plan further attempts for a change of this size',
      parse: parseShare,
      default: '0.1',
    },
    power: {
      flags: '--power <share>',
      summary: 'plan to detect that change with this probability',
      parse: parseShare,
      default: '0.8',
    },
    eachMission: {
      flags: '--each-mission',
      summary: 'report worse when a single mission is worse beyond noise',
    },
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
    { line: 'zcl compare <runA> <runB>', note: 'exit 2 when B is worse beyond noise' },
    {
      line: 'zcl compare <runA> <runB> --format markdown --out comment.md',
      note: 'for a pull request',
    },
  ],
  run: async ({ options, args, host }) =>
    (await import('../compare/command.ts')).runCompare(args[0] ?? '', args[1] ?? '', options, host),
})
