// Reads a journal and prints its number of records and the peak memory in KiB.
import { readJournalSync } from '../../src/journal/journal.ts'

const [path = ''] = process.argv.slice(2)
const { records } = readJournalSync(path, () => undefined)
process.stdout.write(`${records} ${process.resourceUsage().maxRSS}\n`)
