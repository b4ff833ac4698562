// Reads a journal whole and prints how many records it had and the most memory it took, in KiB.
import { readJournalSync } from '../../src/journal/journal.ts'

const [path = ''] = process.argv.slice(2)
const { records } = readJournalSync(path, () => undefined)
process.stdout.write(`${records} ${process.resourceUsage().maxRSS}\n`)
