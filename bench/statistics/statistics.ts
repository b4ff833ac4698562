// Error rates and power of the statistics, by simulation: the amounts are percentages of rounds.
// docs/zcl-compare.md quotes them with their Monte-Carlo errors. A short form runs in `npm test`.
import type { Case, FunctionVariant } from '../harness/case.ts'
import {
  coverage,
  falselyEqual,
  heterogeneousNull,
  homogeneousNull,
  measuresNull,
  plannedPower,
  sequentialRuns,
  type Design,
} from './simulations.ts'

/** `ZEE_ROUNDS=40000` makes the Monte-Carlo error small enough to judge a rate close to its goal. */
const rounds = Number(process.env.ZEE_ROUNDS ?? 2000)
/** The same seeds give the same counts, so one run is enough. */
const once = { repetitions: 1, warmsUp: false }

const designs: readonly Design[] = [
  { missions: 1, attempts: 1 },
  { missions: 3, attempts: 1 },
  { missions: 10, attempts: 1 },
  { missions: 10, attempts: 5 },
]

/** Below 6 missions the verdict is refused. */
const likeThese = [2, 3, 6, 8, 12, 20]

const coverages = [0, 0.2].flatMap((shift) =>
  [
    { missions: 3, attempts: 5 },
    { missions: 10, attempts: 5 },
    { missions: 20, attempts: 1 },
  ].map((design) => ({ name: `${nameOf(design)}, ${100 * shift} points`, design, shift })),
)

const atMargin = [
  { name: '10 x 20, 20 points', design: { missions: 10, attempts: 20 }, margin: 0.2 },
  { name: '10 x 60, 10 points', design: { missions: 10, attempts: 60 }, margin: 0.1 },
]

export const cases: readonly Case[] = [
  {
    name: 'like-these',
    question: `in ${rounds} rounds with mission effects of +-0.4 and mean 0, how many % differ on missions like these?`,
    ...once,
    variants: likeThese.map((missions) =>
      percentage(`${missions} x 10`, () => heterogeneousNull({ missions, attempts: 10 }, rounds)),
    ),
    goals: likeThese.map((missions) => atMost(`${missions} x 10`, 5)),
  },
  {
    name: 'these',
    question: `in ${rounds} rounds without a difference, how many % differ on these missions?`,
    ...once,
    variants: designs.map((design) =>
      percentage(nameOf(design), () => homogeneousNull(design, rounds)),
    ),
    goals: designs.map((design) => atMost(nameOf(design), 5)),
  },
  {
    name: 'measures',
    question: `in ${rounds} rounds without a difference, how many % call any measure better or worse?`,
    ...once,
    variants: designs.map((design) =>
      percentage(nameOf(design), () => measuresNull(design, rounds)),
    ),
    goals: designs.map((design) => atMost(nameOf(design), 5)),
  },
  {
    name: 'power',
    question: `in ${rounds} rounds with ten points at the number of zcl plan, how many % see them?`,
    ...once,
    variants: [10, 20, 40].map((missions) =>
      percentage(`${missions} missions`, () => plannedPower(missions, rounds).seen),
    ),
    goals: [10, 20, 40].flatMap((missions) => [
      atMost(`${missions} missions`, 83),
      atLeast(`${missions} missions`, 77),
    ]),
  },
  {
    name: 'coverage',
    question: `how many % of ${rounds} intervals at 95 % contain the true difference?`,
    ...once,
    variants: coverages.map(({ name, design, shift }) =>
      percentage(name, () => coverage(design, shift, rounds)),
    ),
    // 95 % minus three standard errors.
    goals: coverages.map(({ name }) => atLeast(name, 93.5)),
  },
  {
    name: 'equal',
    question: `in ${rounds} rounds with a difference of exactly the margin, how many % are called equal?`,
    ...once,
    variants: atMargin.map(({ name, design, margin }) =>
      percentage(name, () => falselyEqual(design, margin, rounds)),
    ),
    // 5 % plus three standard errors: the interval is approximate.
    goals: atMargin.map(({ name }) => atMost(name, 6.5)),
  },
  {
    name: 'sequential',
    question: `in ${rounds} runs with a look after every round, how many % are decided wrongly?`,
    ...once,
    variants: [
      percentage('10 x 20, no difference', () => wrongly({ missions: 10, attempts: 20 }, 0)),
      percentage('20 x 40, no difference', () => wrongly({ missions: 20, attempts: 40 }, 0)),
      percentage('10 x 40, 5 points', () => wrongly({ missions: 10, attempts: 40 }, 0.05)),
      percentage(
        '10 x 40, 20 points: right',
        () => sequentialRuns({ missions: 10, attempts: 40 }, 0.2, rounds).right,
      ),
    ],
    goals: [
      atMost('10 x 20, no difference', 5),
      atMost('20 x 40, no difference', 5),
      atMost('10 x 40, 5 points', 5),
      atLeast('10 x 40, 20 points: right', 80),
    ],
  },
]

function wrongly(design: Design, shift: number): number {
  return sequentialRuns(design, shift, rounds).wrong
}

function nameOf({ missions, attempts }: Design): string {
  return `${missions} x ${attempts}`
}

function percentage(name: string, count: () => number): FunctionVariant {
  return {
    name,
    unit: '%',
    run() {
      const share = count() / rounds
      return { amount: 100 * share, standardError: 100 * Math.sqrt((share * (1 - share)) / rounds) }
    },
  }
}

function atMost(variant: string, limit: number) {
  return { variant, figure: 'amount' as const, atMost: limit }
}

function atLeast(variant: string, limit: number) {
  return { variant, figure: 'amount' as const, atLeast: limit }
}
