// Shared by validator tests: damages an attempt and returns the codes that the validator reports.
import { validate, type Validation } from '../src/validate/validate.ts'
import { event, writeTrace, type Event, type LabAttempt } from './lab.ts'

export class Patient {
  readonly attempt: LabAttempt

  constructor(attempt: LabAttempt) {
    this.attempt = attempt
  }

  check(strict: boolean, folder = this.attempt.folder): Validation {
    return validate('given', folder, { strict })
  }

  codes(strict: boolean, folder?: string): string[] {
    return codesOf(this.check(strict, folder))
  }

  /** The codes of strict and lenient validation, in this order. */
  both(folder?: string): [string[], string[]] {
    return [this.codes(true, folder), this.codes(false, folder)]
  }

  /** Replaces the second event of the trace. */
  changeEvent(over: Event, remove: readonly string[] = []): void {
    const changed = event(this.attempt, over)
    for (const key of remove) delete changed[key]
    writeTrace(this.attempt, [event(this.attempt), changed])
  }

  changeFile(name: string, over: Event, remove: readonly string[] = []): void {
    const value = { ...this.attempt.json(name), ...over }
    for (const key of remove) delete value[key]
    this.attempt.write(name, value)
  }
}

export function codesOf(result: Validation): string[] {
  return [...result.errors, ...result.warnings].map(({ code }) => code)
}
