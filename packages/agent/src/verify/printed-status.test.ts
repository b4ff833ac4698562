import { describe, expect, it } from 'vitest'
import { splitShell } from './commands/commands.ts'
import { printedStatus } from './printed-status.ts'

describe('printedStatus', () => {
  it.each([
    ['npm test; echo $?', '0\n', 'passed'],
    ['npm test; echo $?', '1\n', 'failed'],
    ['npm test; echo "rc=$?"', 'ok\nrc=2\n', 'failed'],
    ['npm test | tee log; echo "status=${PIPESTATUS[0]}"', 'status=1\n', 'failed'],
    // The status of tee.
    ['npm test | tee log; echo $?', '0\n', undefined],
    ['npm test; ls; echo $?', '0\n', undefined],
    ['npm test; echo "rc=$?"', 'cut off\n', undefined],
    ['make && echo GOOD || echo BAD', 'GOOD\n', 'passed'],
    ['make && echo GOOD || echo BAD', 'BAD\n', 'failed'],
    ['make || echo BAD', 'BAD\n', 'failed'],
    ['make || echo BAD', '', undefined],
  ])('reads the status of the first command of `%s` from %j', (line, output, status) => {
    expect(printedStatus(splitShell(line), 0, output)).toBe(status)
  })
})
