// The commands that turn evidence into answers: how good is it, and is it better than before?
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { json } from './options.ts'
import { formats, parseKs, parseShare } from '../compare/compare.ts'

const command = commandFor({})

const seed = {
  flags: '--seed <n>',
  summary: 'seed of the resampling: the same seed gives the same answer',
  parse: wholeNumber(0),
  default: '1',
} as const

const resamples = {
  flags: '--resamples <n>',
  summary: 'how often to resample (less often for very large runs)',
  parse: wholeNumber(100),
  default: '10000',
} as const

export const stats = command({
  name: 'stats',
  summary: 'Pass rates with intervals, pass@k, pass^k and what attempts cost',
  description:
    'By suite and by mission, over all runs that are named. Attempts count together when their ' +
    'mission has the same name, prompt and expectations. Failures of the surroundings and attempts ' +
    'without an outcome are counted apart, never as fails.',
  options: {
    k: {
      flags: '--k <list>',
      summary: 'which k of pass@k and pass^k',
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
  examples: [{ line: 'zcl stats .zcl/runs/*', note: 'everything that was measured here' }],
  run: async ({ options, args, host }) =>
    (await import('../compare/stats/command.ts')).runStats(args, options, host),
})

export const compare = command({
  name: 'compare',
  summary: 'Whether run B is better than run A, worse, or within noise',
  description:
    'Pairs the runs by mission (same name, prompt and expectations), averages attempts inside a ' +
    'mission, and gives the difference with a bootstrap interval and a permutation p-value. Exit 0 ' +
    'for better, equal or within noise, 2 for worse beyond noise, 1 when the runs cannot be compared.',
  options: {
    alsoA: {
      flags: '--also-a <run>',
      summary: 'a further run of side A',
      repeatable: true,
      complete: 'folder',
    },
    alsoB: {
      flags: '--also-b <run>',
      summary: 'a further run of side B',
      repeatable: true,
      complete: 'folder',
    },
    seed,
    resamples,
    alpha: {
      flags: '--alpha <share>',
      summary: 'how often noise may be taken for a difference',
      parse: parseShare,
      default: '0.05',
    },
    effect: {
      flags: '--effect <share>',
      summary: 'the change that the plan for more attempts is made for',
      parse: parseShare,
      default: '0.1',
    },
    power: {
      flags: '--power <share>',
      summary: 'how often that change should be seen',
      parse: parseShare,
      default: '0.8',
    },
    eachMission: {
      flags: '--each-mission',
      summary: 'a single mission that is worse beyond noise counts as worse',
    },
    anyProfile: {
      flags: '--any-profile',
      summary: 'compare runs that were made under different settings',
    },
    format: { flags: '--format <format>', summary: 'the form of the answer', choices: formats },
    out: {
      flags: '--out <file>',
      summary: 'write it to this file instead of stdout',
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
