// The options that several commands of zcl share.
import type { OptionSpec } from '@zee/core/command-line'

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
  summary: 'what is incomplete is an error, as in ci mode',
} as const satisfies OptionSpec
