// Replaces a file repeatedly with generations of different sizes until it is killed.
// Acknowledges each generation on stdout after the write has returned. Starts on a byte from stdin.
import { readSync, writeSync } from 'node:fs'
import { writeJsonAtomic } from '../../src/files/atomic-file.ts'

const [path = '', name = '', durable = ''] = process.argv.slice(2)

writeSync(1, 'ready\n')
readSync(0, Buffer.alloc(1), 0, 1, null)
void replace()

async function replace(): Promise<void> {
  for (let generation = 0; ; generation++) {
    const pad = 'x'.repeat((generation * 7919) % 100_000)
    await writeJsonAtomic(path, { name, generation, pad }, { durable: durable !== '' })
    writeSync(1, `${generation}\n`)
  }
}
