// Checks the profile of a stored plan. A plan that another program damaged is refused before its run
// goes on.
import { isObject } from '@zee/core/json'
import { timeoutStarts } from '@zee/evidence/vocabulary'
import type { ResultChannel, RunProfile } from './profile.ts'
import { feedbackPolicies, finalizationModes, resultChannels } from './vocabulary.ts'

type Checks<T> = { [Key in keyof Required<T>]: (value: unknown) => boolean }

const oneOf = (words: readonly string[]) => (value: unknown) =>
  typeof value === 'string' && words.includes(value)
const optional = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || check(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

const channelChecks: Checks<ResultChannel> = {
  kind: oneOf(resultChannels),
  path: isText,
  marker: isText,
  minTurn: isCount,
}

const profileChecks: Checks<RunProfile> = {
  mode: oneOf(['discovery', 'ci']),
  timeoutMs: optional((value) => isCount(value) && value !== 0),
  timeoutStart: optional(oneOf(timeoutStarts)),
  feedbackPolicy: oneOf(feedbackPolicies),
  finalizationMode: oneOf(finalizationModes),
  resultChannel: (value) => isObject(value) && faultIn(value, channelChecks) === undefined,
  sessionIsolation: oneOf(['process']),
  shims: isTexts,
  ignoreArgv: optional(isTexts),
  requireShim: optional(isBoolean),
  inheritProfile: optional(isBoolean),
  blind: isBoolean,
  blindTerms: optional(isTexts),
  captureRunnerIo: isBoolean,
  allowUnproven: optional(isBoolean),
  trustTrace: optional(isBoolean),
  homeTemplate: optional(isText),
  inject: optional(isTexts),
  injectSeed: optional(isCount),
}

/** What a stored profile lacks to be one. */
export function profileFault(profile: unknown): string | undefined {
  if (!isObject(profile)) return 'profile is not an object'
  const key = faultIn(profile, profileChecks)
  return key === undefined ? undefined : `profile.${key} is missing or not valid`
}

function faultIn(value: object, checks: Record<string, (value: unknown) => boolean>) {
  const record = value as Readonly<Record<string, unknown>>
  return Object.keys(checks).find((key) => checks[key]?.(record[key]) !== true)
}
