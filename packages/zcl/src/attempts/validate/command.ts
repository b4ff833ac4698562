// `zcl validate`: lists every integrity error of a run or an attempt.
import type { Host } from '@zee/core/exit'
import { validate, type Validation } from '@zee/evidence/validate'
import { resolveFolder, shownName } from '../attempts.ts'
import {
  aligned,
  colours,
  complain,
  pluralize,
  printJson,
  printLines,
  Progress,
} from '../../output/output.ts'
import { validationExitCode } from './validate.ts'

export interface ValidateOptions {
  strict: boolean
  semantic: boolean
  semanticRules: string | undefined
  json: boolean
}

export async function runValidate(
  argument: string | undefined,
  options: ValidateOptions,
  host: Host,
): Promise<number> {
  if (options.semantic || options.semanticRules !== undefined) {
    return (await import('./semantic.ts')).runValidateSemantic(argument, options, host)
  }
  const progress = new Progress(host)
  const folder = await resolveFolder(argument, host)
  const result = validate(shownName(argument, host), folder, {
    strict: options.strict,
    onAttempt: (index, total) =>
      progress.show(host.clock.monotonicMs(), `${index} of ${total} attempts`),
  })
  progress.end()
  if (options.json) printJson(host, result)
  else printLines(host, describeValidation(result, host))
  return complainAbout(result, host)
}

function complainAbout(result: Validation, host: Host): number {
  const [first] = result.errors
  if (first !== undefined) {
    const others = result.errors.length - 1
    const more = others === 0 ? '' : ` (and ${others} more)`
    const place = first.path === '.' ? result.path : first.path
    complain(host, first.code, `${place}: ${first.message}${more}`)
  }
  return validationExitCode(result)
}

function describeValidation(result: Validation, host: Host): string[] {
  const paint = colours(host)
  const { errors, warnings } = result
  const counts = `${pluralize(errors.length, 'error')}, ${pluralize(warnings.length, 'warning')}`
  const verdict = result.ok ? paint.green('valid') : paint.red('not valid')
  const rows = aligned(
    [...errors, ...warnings].map(({ code, path, message }) => [code, path, message]),
  )
  return [
    `${result.target} ${result.path}: ${verdict}, ${counts}`,
    ...rows.map((row) => `  ${row}`),
  ]
}
