// Start time of the programs: `--version` and `--help`, compared with Node running an empty file.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Goal, Case, CommandVariant } from './harness/case.ts'

const floor = 'node empty.cjs'
const runsPerSample = 5

const answers: CommandVariant[] = ['zdx', 'zeno', 'zino', 'zcl', 'zee'].flatMap((program) =>
  ['--version', '--help'].map((flag) => ({
    name: `${program} ${flag}`,
    runsPerSample,
    command: ({ node, repository }) => [
      node,
      path.join(repository, `packages/${program}/bin/${program}.cjs`),
      flag,
    ],
  })),
)

export const cases: readonly Case[] = [
  {
    name: 'answers',
    question: 'what do --version and --help cost beyond the start of Node?',
    repetitions: 10,
    prepare: (scratch) => writeFileSync(path.join(scratch, 'empty.cjs'), ''),
    variants: [
      {
        name: floor,
        runsPerSample,
        command: ({ node, scratch }) => [node, path.join(scratch, 'empty.cjs')],
      },
      ...answers,
    ],
    goals: answers.map(({ name }): Goal => ({
      variant: name,
      figure: 'cpu',
      atMost: 1.2,
      peer: floor,
    })),
  },
]
