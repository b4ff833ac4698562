// Appends one record to a new journal with a header for each byte on stdin.
import { readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { openJournal } from '../../src/journal/journal.ts'

const [folder = '', name = ''] = process.argv.slice(2)
const signal = Buffer.alloc(1)

writeSync(1, 'ready\n')
for (let round = 0; readSync(0, signal, 0, 1, null) === 1; round++) {
  const file = path.join(folder, `${round}.jsonl`)
  const journal = openJournal(file, { header: () => ({ header: name }) })
  journal.append({ from: name })
  journal.close()
  writeSync(1, `done ${round}\n`)
}
