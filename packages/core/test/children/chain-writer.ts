// Extends a hash chain: each record holds the digest of the previous line. Starts on a byte from stdin.
// Acknowledges each record on stdout after the append has returned.
import { readSync, writeSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { lockedAppend } from '../../src/journal/journal.ts'

const [path = '', name = '', count = '1', fast = ''] = process.argv.slice(2)
const durability = fast === '' ? 'durable' : 'fast'

writeSync(1, 'ready\n')
readSync(0, Buffer.alloc(1), 0, 1, null)

async function extend(): Promise<void> {
  for (let number = 0; number < Number(count); number++) {
    await lockedAppend(path, (last) => ({ name, number, after: digest(last) }), { durability })
    writeSync(1, `${name} ${number}\n`)
  }
}

function digest(line: Buffer | undefined): string {
  return line === undefined ? 'nothing' : createHash('sha256').update(line).digest('hex')
}

void extend()
