// Warm searches at a revision, beside git grep. ZENO_BENCH_REPOSITORY names the repository (the default is this one),
// ZENO_BENCH_WORDS the words to search for, from rare to common.
import path from 'node:path'
import type { Case } from './harness/case.ts'
import { repositoryOf, storeRepository, warmRequests } from './harness/zeno-server.ts'

const words = process.env.ZENO_BENCH_WORDS?.split(' ') ?? ['zzqxnotfound', 'journal', 'const']
const everything = {
  ...{ max_files: 10_000_000, max_hits: 10_000_000, max_bytes: 1_000_000_000 },
  ...{ default_excludes: false, include_hidden: true },
}

export const cases: readonly Case[] = words.map(searchCase)

function searchCase(pattern: string): Case {
  const [peer, warm] = ['git grep', 'zeno, warm, p50']
  const gitGrep = ['grep', '-n', '-a', '-F', '-e', pattern, 'HEAD']
  return {
    name: `revision ${pattern}`,
    question: `what do all hits of ${JSON.stringify(pattern)} at HEAD cost beside git grep?`,
    repetitions: 3,
    prepare: storeRepository,
    variants: [
      {
        name: peer,
        command: ({ scratch }) => [
          ...['bash', '-c', 'git -C "$1" "${@:2}" >/dev/null; true', 'bench', tree(scratch)],
          ...gitGrep,
        ],
      },
      warmRequests(warm, {
        ...{ root: tree, op: 'grep', args: { ...everything, pattern, rev: 'HEAD' } },
        options: ['--max-answer', '1000000000'],
      }),
    ],
    goals: [{ variant: warm, figure: 'cpu', timesFaster: 10, peer }],
  }
}

function tree(scratch: string): string {
  return path.resolve(process.env.ZENO_BENCH_REPOSITORY ?? repositoryOf(scratch))
}
