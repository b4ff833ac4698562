// Turns an error of zdx into one line on stderr and an exit code.
import { messageOf, oneLine, ZeeError } from '@zee/core/errors'
import type { DescribedError } from '@zee/core/exit'
import { describeError } from '@zee/core/exit'

export function describe(error: unknown): DescribedError {
  // These messages already start with the steps that led to the failure.
  if (error instanceof ZeeError && error.exitCode !== 2) {
    // A terminal has echoed ^C into the current line.
    const before = error.code === 'interrupted' ? '\n' : ''
    return { line: before + oneLine(messageOf(error)), exitCode: error.exitCode }
  }
  return describeError('zdx', error)
}
