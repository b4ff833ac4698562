// Writes index snapshots in a loop until it is killed, and prints `ready` after each.
// node write-snapshots.cjs <root> <snapshot file>
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openCorpus } from '../../src/corpus.ts'
import type { WorkerName } from '../../src/corpus.ts'

const [root, file] = process.argv.slice(2) as [string, string]
const workerFile = (name: WorkerName): string => path.join(import.meta.dirname, `${name}.cjs`)

void (async () => {
  for (let round = 0; ; round++) {
    writeFileSync(path.join(root, 'round.txt'), `round ${round} of ${process.pid}\n`)
    const index = { memoryBytes: 64 << 20, threads: 1, snapshotFile: file }
    const corpus = openCorpus(root, { index, workerFile })
    await corpus.buildIndex()
    await corpus.close()
    process.stdout.write('ready\n')
  }
})()
