// Writes snapshots of an index again and again until it is killed: arguments are the root, the snapshot's file and
// the index worker. Says `ready` once there is an index.
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
