import { usageError, ZeeError } from '@zee/core/errors'
import { expect, test } from 'vitest'
import { describe } from './describe-error.ts'
import { zclError } from './errors/errors.ts'

test.each([
  [zclError('ZCL_E_BOUNDS', 'too large'), 'ZCL_E_BOUNDS: too large', 2],
  [zclError('ZCL_E_IO', 'gone'), 'ZCL_E_IO: gone', 1],
  [usageError('no such flag'), 'ZCL_E_USAGE: no such flag', 2],
  [new ZeeError('invalid_redaction_rule', 'bad'), 'ZCL_E_CONTRACT: bad', 2],
  [new ZeeError('lock_timeout', 'it is held'), 'ZCL_E_IO: it is held', 1],
  [new ZeeError('x', 'two\nlines'), 'ZCL_E_IO: two lines', 1],
])('describe(%s) prints one line with a code and picks the exit code', (error, line, exitCode) => {
  expect(describe(error)).toEqual({ line, exitCode })
})

test('a system error names its path; an error of the language prints neither text nor stack', () => {
  const system = Object.assign(new Error('EACCES: x'), { code: 'EACCES', path: '/x' })
  expect(describe(system)).toEqual({ line: 'ZCL_E_IO: /x: permission denied', exitCode: 1 })
  const { line, exitCode } = describe(new TypeError('a is not\na function'))
  expect(exitCode).toBe(1)
  expect(line).toBe('ZCL_E_IO: unexpected error (ZEE_DEBUG=1 shows where)')
})
