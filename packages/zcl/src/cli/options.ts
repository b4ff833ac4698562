// Options and arguments that several commands share, with their parsers.
import type { ArgumentSpec, OptionSpec } from '@zee/core/command-line'
import { usageError } from '@zee/core/errors'
import { isRunId } from '@zee/core/ids'

export const json = {
  flags: '--json',
  summary: 'print one JSON document',
} as const satisfies OptionSpec
export const outRoot = {
  flags: '--out-root <dir>',
  summary: 'folder for evidence, instead of the configured one',
  complete: 'folder',
} as const satisfies OptionSpec
export const strict = {
  flags: '--strict',
  summary: 'treat incomplete evidence as an error, as in ci mode',
} as const satisfies OptionSpec
export const blindTerms = {
  flags: '--blind-terms <csv>',
  summary: 'words that must not occur in a blind prompt',
  parse: parseList,
} as const satisfies OptionSpec

export const attemptArgument = {
  name: 'attemptDir',
  summary: "the attempt's folder; ZCL_OUT_DIR when left out",
  complete: 'folder',
} as const satisfies ArgumentSpec
export const evidenceArgument = {
  name: 'attemptDir|runDir',
  summary: 'a folder of evidence, or a run id',
  required: true,
  complete: 'folder',
} as const satisfies ArgumentSpec

/** The comma-separated items, trimmed, without empty ones. */
export function parseList(text: string): string[] {
  return text.split(',').flatMap((item) => item.trim() || [])
}

export function parseRunId(text: string): string {
  if (isRunId(text)) return text
  throw usageError(`'${text}' is not a run id like 20260215-180012Z-09c5a6`)
}
