// Replaces or creates a file once with the given number of bytes and prints the result.
import { createFileExclusive, writeFileAtomic } from '../../src/files/atomic-file.ts'
import { ZeeError } from '../../src/errors/errors.ts'

const [path = '', bytes = '0', how = 'write'] = process.argv.slice(2)
const write = how === 'create' ? createFileExclusive : writeFileAtomic

write(path, 'n'.repeat(Number(bytes))).then(
  () => process.stdout.write('written\n'),
  (error: unknown) => {
    if (!(error instanceof ZeeError)) throw error
    process.stdout.write(`${error.code} ${error.message}\n`)
  },
)
