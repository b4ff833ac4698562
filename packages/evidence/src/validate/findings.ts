// Collects the errors and warnings of a validation, up to a maximum per file.
import type { ErrorCode, WarningCode } from '../errors/errors.ts'

export interface ValidationFinding {
  code: ErrorCode | WarningCode
  message: string
  /** Relative to the target. */
  path: string
}

/** Further findings of a file are summarised in one. */
const maxFindingsPerFile = 1000

export class Findings {
  readonly errors: ValidationFinding[] = []
  readonly warnings: ValidationFinding[] = []
  readonly #perFile = new Map<string, number>()

  error(code: ErrorCode, message: string, path: string): void {
    this.#add(this.errors, code, message, path)
  }

  warning(code: WarningCode, message: string, path: string): void {
    this.#add(this.warnings, code, message, path)
  }

  #add(
    list: ValidationFinding[],
    code: ErrorCode | WarningCode,
    message: string,
    path: string,
  ): void {
    const key = `${list === this.errors ? 'e' : 'w'}${path}`
    const count = (this.#perFile.get(key) ?? 0) + 1
    this.#perFile.set(key, count)
    if (count <= maxFindingsPerFile) list.push({ code, message, path })
    if (count === maxFindingsPerFile + 1) {
      list.push({ code, message: 'more of this kind is not listed', path })
    }
  }
}

/** Adds findings for one attempt or run, with its path prefix and strictness. */
export class Scope {
  readonly strict: boolean
  readonly #findings: Findings
  readonly #prefix: string

  constructor(findings: Findings, prefix: string, strict: boolean) {
    this.#findings = findings
    this.#prefix = prefix
    this.strict = strict
  }

  error(code: ErrorCode, message: string, name: string): void {
    this.#findings.error(code, message, this.#pathOf(name))
  }

  warning(code: WarningCode, message: string, name: string): void {
    this.#findings.warning(code, message, this.#pathOf(name))
  }

  /** Adds an error if strict, else a warning. */
  either(error: ErrorCode, warning: WarningCode, message: string, name: string): void {
    if (this.strict) this.error(error, message, name)
    else this.warning(warning, message, name)
  }

  withStrict(strict: boolean): Scope {
    return new Scope(this.#findings, this.#prefix, strict)
  }

  below(folder: string): Scope {
    return new Scope(this.#findings, this.#pathOf(folder), this.strict)
  }

  #pathOf(name: string): string {
    if (this.#prefix === '') return name
    return name === '.' ? this.#prefix : `${this.#prefix}/${name}`
  }
}
