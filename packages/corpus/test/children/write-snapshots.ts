// Writes index snapshots in a loop until it is killed, and prints `ready` after each.
// node write-snapshots.cjs <root> <snapshot file> <index worker>
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openCorpus } from '../../src/corpus.ts'

const [root, file, workerPath] = process.argv.slice(2) as [string, string, string]

void (async () => {
  for (let round = 0; ; round++) {
    writeFileSync(path.join(root, 'round.txt'), `round ${round} of ${process.pid}\n`)
    const index = { workerPath, memoryBytes: 64 << 20, threads: 1, snapshotFile: file }
    const corpus = openCorpus(root, { index })
    await corpus.warm()
    await corpus.close()
    process.stdout.write('ready\n')
  }
})()
