// Closes corpora while their threads search, then prints `closed`.
// node close-while-searching.cjs <root>
import path from 'node:path'
import { openCorpus } from '../../src/corpus.ts'
import type { WorkerName } from '../../src/corpus.ts'

const [root = ''] = process.argv.slice(2)
const workerFile = (name: WorkerName): string => path.join(import.meta.dirname, `${name}.cjs`)
const pattern = { pattern: '[a-z]', regex: true, mode: 'count' } as const
const rounds = process.env.ZEE_ROUNDS === undefined ? 2 : 5
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function round(): Promise<void> {
  const index = { memoryBytes: 64 << 20, threads: 2, ownFiles: 0, maxStartMs: 60_000 }
  const corpus = openCorpus(root, { index, workerFile })
  await corpus.buildIndex()
  while (corpus.indexStats()?.handed_over === 0) await corpus.grep({ ...pattern, max_files: 1 })
  const leaving = new AbortController()
  const search = { isOver: false }
  const asked = corpus
    .grep(pattern, { signal: leaving.signal })
    .catch(() => undefined)
    .finally(() => (search.isOver = true))
  while (!search.isOver && corpus.indexStats()?.searching === 0) await turn()
  leaving.abort()
  await asked
  await corpus.close()
}

void (async () => {
  for (let count = 0; count < rounds; count++) await round()
  process.stdout.write('closed\n')
})()
