// Appends records until two fail on a full disk or size limit, then frees space and appends once more.
// Prints the code and message of each error, and the ids of the records whose append returned.
import { rmSync, writeSync } from 'node:fs'
import { ZeeError } from '../../src/errors/errors.ts'
import { openJournal } from '../../src/journal/journal.ts'

const [path = '', ballast = '', padding = '0'] = process.argv.slice(2)
const journal = openJournal(path)
let count = 0

function append(): void {
  journal.append({ id: count, pad: 'x'.repeat(Number(padding)) })
  writeSync(1, `ok ${count++}\n`)
}

writeSync(1, 'ready\n')
for (let refused = 0; refused < 2;) {
  try {
    append()
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    refused++
    writeSync(1, `refused ${error.code} ${error.message}\n`)
  }
}
if (ballast !== '') {
  rmSync(ballast)
  append()
}
