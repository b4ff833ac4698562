// Appends bursts of records to a journal until stdin ends; each byte on stdin is the length of a burst.
// Acknowledges each record on stdout by its id after the append has returned.
import { readSync, writeSync } from 'node:fs'
import { openJournal } from '../../src/journal/journal.ts'
import { recordText } from '../journal-records.ts'

const [path = '', name = '', bigShare = '0', header = ''] = process.argv.slice(2)
const journal = openJournal(path, header === '' ? {} : { header: () => ({ header: name }) })
const signal = Buffer.alloc(1)
const prepared: string[] = []
let made = 0
let written = 0

writeSync(1, 'ready\n')
for (;;) {
  // Prepared in advance, so that a burst spends its time in the writes, where a kill should hit.
  while (prepared.length < 60) prepared.push(recordText(`${name}-${made++}`, Number(bigShare)))
  if (readSync(0, signal, 0, 1, null) === 0) break
  for (let left = signal[0] ?? 0; left > 0; left--) {
    journal.appendLine(prepared.shift() ?? '')
    writeSync(1, `${name}-${written++}\n`)
  }
}
journal.close()
