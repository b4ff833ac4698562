// How well `locate` finds the files of a commit from its message, at the parent commit, compared with BM25, BM25 with
// paths and a search for the three rarest words; and how fast it answers at 10,000 files. ZENO_BENCH_REPOSITORIES names
// git repositories, separated by colons; the default is this one. ZENO_BENCH_QUESTIONS is the number of commits for
// each (40).
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openCorpus } from '@zee/corpus'
import type { Corpus } from '@zee/corpus'
import type { Case, FunctionVariant, Sample } from './harness/case.ts'
import { commitQuestions } from './harness/commit-questions.ts'
import type { CommitQuestion } from './harness/commit-questions.ts'
import { historyTree } from './harness/history-tree.ts'
import { rankers, RevisionDocuments } from './harness/locate-baselines.ts'
import { repositoryOf, storeRepository, withServer } from './harness/zeno-server.ts'

const depths = [1, 5, 10, 20]
const methods = [...Object.keys(rankers), 'locate']
const goalPoints = 12
const latencyFiles = 10_000

/** The mean recall of each method at each depth. */
type Recall = Record<string, number[]>

export const cases: readonly Case[] = [recallCase(), latencyCase()]

function recallCase(): Case {
  const unit = '% recall@10'
  return {
    name: 'recall',
    question: 'how many files of a commit are among the first ten for its message?',
    repetitions: 1,
    async prepare(scratch) {
      const own = path.resolve(process.argv[1] ?? '', '../..')
      const named = process.env.ZENO_BENCH_REPOSITORIES?.split(':') ?? [own]
      const max = Number(process.env.ZENO_BENCH_QUESTIONS ?? 40)
      const rows: { name: string; questions: number; recall: Recall }[] = []
      for (const repository of named) rows.push(await measure(repository, max))
      const measured = rows.filter(({ questions }) => questions > 0)
      const mean = meanOf(measured.map(({ recall }) => recall))
      console.log(tableOf([...rows, { name: 'mean', questions: 0, recall: mean }]))
      writeFileSync(path.join(scratch, 'recall.json'), JSON.stringify(mean))
    },
    variants: methods.map((method): FunctionVariant => ({
      name: method,
      unit,
      run: (scratch) => {
        const recall = JSON.parse(readFileSync(path.join(scratch, 'recall.json'), 'utf8')) as Recall
        return (recall[method]?.[depths.indexOf(10)] ?? 0) * 100
      },
    })),
    goals: [{ variant: 'locate', figure: 'amount', atLeast: 65 + goalPoints }],
  }
}

async function measure(
  repository: string,
  max: number,
): Promise<{ name: string; questions: number; recall: Recall }> {
  const corpus = openCorpus(repository)
  const documents = new RevisionDocuments(repository)
  const results: Recall[] = []
  try {
    for (const question of commitQuestions(repository, max)) {
      const recall = await recallOf(corpus, documents, question)
      if (recall !== undefined) results.push(recall)
    }
  } finally {
    await corpus.close()
  }
  const parts = repository.split('/').filter((part) => part !== 'repo' && part !== '')
  return { name: parts.at(-1) ?? '', questions: results.length, recall: meanOf(results) }
}

async function recallOf(
  corpus: Corpus,
  documents: RevisionDocuments,
  { text, parent, changed }: CommitQuestion,
): Promise<Recall | undefined> {
  const most = Math.max(...depths)
  let located: string[]
  try {
    const { results } = await corpus.locate({ text, rev: parent, max: most, max_files: 100_000 })
    located = results.map((result) => result.path)
  } catch {
    // The object database of a partial clone may lack a blob.
    return undefined
  }
  const files = documents.at(parent)
  const ranked = Object.entries(rankers).map(
    ([name, rank]) => [name, rank(text, files, most)] as const,
  )
  return Object.fromEntries(
    [...ranked, ['locate', located] as const].map(([name, paths]) => [
      name,
      depths.map((depth) => {
        const top = new Set(paths.slice(0, depth))
        return changed.filter((file) => top.has(file)).length / changed.length
      }),
    ]),
  )
}

function meanOf(all: readonly Recall[]): Recall {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  return Object.fromEntries(
    methods.map((method) => [
      method,
      depths.map((_, at) => mean(all.map((recall) => recall[method]?.[at] ?? 0))),
    ]),
  )
}

function tableOf(rows: readonly { name: string; questions: number; recall: Recall }[]): string {
  const head = `| repository | commits | ${methods.map((method) => `${method} @1/5/10/20`).join(' | ')} |`
  const rule = `|${' --- |'.repeat(methods.length + 2)}`
  const figures = (recall: Recall, method: string): string =>
    (recall[method] ?? []).map((value) => value.toFixed(2).replace(/^0/, '')).join(' ')
  const lines = rows.map(
    ({ name, questions, recall }) =>
      `| ${name} | ${questions || ''} | ${methods.map((method) => figures(recall, method)).join(' | ')} |`,
  )
  return [head, rule, ...lines].join('\n')
}

function latencyCase(): Case {
  return {
    name: 'latency',
    question: `how long does a warm locate take at ${latencyFiles} files with 1,500 commits?`,
    repetitions: 3,
    async prepare(scratch) {
      storeRepository(scratch)
      await historyTree(repositoryOf(scratch), path.join(scratch, 'tree'), latencyFiles, 1500)
    },
    variants: [
      { name: 'locate, p50 of 60', unit: 'requests', run: (scratch) => latency(scratch, 0.5) },
      { name: 'locate, p95 of 60', unit: 'requests', run: (scratch) => latency(scratch, 0.95) },
    ],
    goals: [{ variant: 'locate, p50 of 60', figure: 'wall', atMost: 50 }],
  }
}

const requests = 60

/** The percentile of the wall time per answer, and the mean CPU time. */
function latency(scratch: string, share: number): Promise<Partial<Sample>> {
  return withServer(scratch, path.join(scratch, 'tree'), async (server) => {
    const text = (at: number): string =>
      `module ${at}: fix timeout of handler${at * 7}\n\nThe stale value of cache_${at * 13} is read twice.`
    // The first request reads the files and the history.
    await server.ask('locate', { text: text(requests) })
    const times: number[] = []
    const cpu = server.cpuMs()
    for (let at = 0; at < requests; at++) {
      const start = performance.now()
      await server.ask('locate', { text: text(at) })
      times.push(performance.now() - start)
    }
    times.sort((one, other) => one - other)
    const wallMs = times[Math.floor(times.length * share)] ?? 0
    const cpuMs = (server.cpuMs() - cpu) / requests
    return { wallMs, cpuMs, rssMib: server.rssMib(), amount: 1 }
  })
}
