// Options and arguments that several commands share, with their parsers.
import { wholeNumber } from '@zee/core/command-line'
import type { ArgumentSpec, OptionSpec, OptionTable } from '@zee/core/command-line'
import { parseInject } from '../faults/faults.ts'
import { ignorePresetNames } from '../ignored/ignored.ts'
import { reasonOf, usageError } from '@zee/core/errors'
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

export const attemptOption = {
  flags: '--attempt <dir>',
  summary: 'record into this attempt, instead of the one that the environment names',
  complete: 'folder',
} as const satisfies OptionSpec

/** Options for calls of the agent's own machinery. */
export const ignoreOptions = {
  ignoreArgv: {
    flags: '--ignore-argv <pattern>',
    summary: 'count a traced call apart when this regular expression matches its command line',
    repeatable: true,
    parse: parsePattern,
  },
  ignorePreset: {
    flags: '--ignore-preset <agent>',
    summary: 'count apart what this agent runs by itself, such as polling git',
    repeatable: true,
    choices: ignorePresetNames,
  },
} as const satisfies OptionTable

/** Options that inject faults. */
export const injectOptions = {
  inject: {
    flags: '--inject <fault>',
    summary: 'inject truncate, malformed, stale, delay or error at a rate, as in error:0.1',
    repeatable: true,
    parse: parseInject,
  },
  injectSeed: {
    flags: '--inject-seed <n>',
    summary: 'seed that makes injected faults repeatable',
    parse: wholeNumber(0),
  },
} as const satisfies OptionTable

export const attemptArgument = {
  name: 'attemptDir',
  summary: 'a folder, an attempt id, a unique prefix of one, or latest (default ZCL_OUT_DIR)',
  complete: 'folder',
} as const satisfies ArgumentSpec
export const evidenceArgument = {
  name: 'attemptDir|runDir',
  summary: 'a folder, a run or attempt id, a unique prefix of one, or latest (default ZCL_OUT_DIR)',
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

function parsePattern(text: string): string {
  try {
    void new RegExp(text)
  } catch (error) {
    throw usageError(`'${text}' is not a regular expression: ${reasonOf(error)}`)
  }
  return text
}
