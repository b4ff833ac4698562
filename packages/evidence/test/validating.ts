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

/** A finding as `level code path: message`. */
export function linesOf(patient: Patient, strict: boolean, folder?: string): string[] {
  const { errors, warnings } = patient.check(strict, folder)
  return [...errors, ...warnings].map(
    ({ code, path: place, message }) => `${code.slice(4).replace('_', ' ')} ${place}: ${message}`,
  )
}

/** The lines that are expected: `?` is an error if strict, else a warning; `S` is an error if strict. */
export function expectedLines(lines: readonly string[], strict: boolean): string[] {
  const shown = lines
    .filter((line) => strict || !line.startsWith('S'))
    .map((line) => line.replace(/^[?S]/, strict ? 'E' : 'W'))
    .map((line) => line.replace(/^W FUNNEL_BYPASS/, '$&_SUSPECTED'))
  return shown.toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0))
}
