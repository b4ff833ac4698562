// Holds a lock until it reads a byte from stdin or is killed.
import { writeSync } from 'node:fs'
import { acquireLock } from '../../src/lock/lock.ts'

const [path = ''] = process.argv.slice(2)

async function hold(): Promise<void> {
  const lock = await acquireLock(path)
  writeSync(1, 'ready\n')
  process.stdin.once('data', () => {
    void lock.release().then(() => process.exit(0))
  })
}

void hold()
