// Resolves how the attempts of a run are measured: flags override the suite's defaults.
// Contradictory options are refused here, before anything is written.
import { randomInt } from 'node:crypto'
import { findMission, harnessTermsIn, type Suite } from '@zee/evidence/suite'
import { defaultTimeoutStart } from '@zee/evidence/attempt'
import type { AttemptFile } from '@zee/evidence/schema'
import { injectText, type InjectRule } from '../faults/faults.ts'
import { ignoredPatterns } from '../ignored/ignored.ts'
import { zclError } from '../errors/errors.ts'
import type { feedbackPolicies, finalizationModes, resultChannels } from './vocabulary.ts'

export interface ResultChannel {
  kind: (typeof resultChannels)[number]
  /** With `file_json`: relative to the attempt folder, or else to its scratch folder. */
  path: string
  /** With `stdout_json`: the prefix of a result line. */
  marker: string
  minTurn: number
}

export interface RunProfile {
  mode: AttemptFile['mode']
  timeoutMs?: number
  timeoutStart?: AttemptFile['timeoutStart']
  feedbackPolicy: (typeof feedbackPolicies)[number]
  finalizationMode: (typeof finalizationModes)[number]
  resultChannel: ResultChannel
  sessionIsolation: 'process'
  shims: string[]
  /** Traced calls whose command line matches are counted apart. */
  ignoreArgv?: string[]
  /** An attempt that never calls a shim fails. */
  requireShim?: true
  /** The user's own start files of login shells are read too. */
  inheritProfile?: true
  blind: boolean
  blindTerms?: string[]
  captureRunnerIo: boolean
  /** A claim without a recorded action may pass: the missions need none. */
  allowUnproven?: true
  /** Trace lines that no funnel reported to the harness are accepted. */
  trustTrace?: true
  /** A folder that is copied into the HOME of every attempt. */
  homeTemplate?: string
  /** Faults for every funnel of an attempt, as `--inject` takes them. */
  inject?: string[]
  injectSeed?: number
}

export interface ProfileOptions {
  mode?: string | undefined
  timeoutMs?: number | undefined
  timeoutStart?: string | undefined
  feedbackPolicy?: string | undefined
  finalizationMode?: string | undefined
  resultChannel?: string | undefined
  resultFile?: string | undefined
  resultMarker?: string | undefined
  resultMinTurn?: number | undefined
  sessionIsolation?: string | undefined
  shim?: readonly string[]
  ignoreArgv?: readonly string[]
  ignorePreset?: readonly string[]
  requireShim?: boolean
  inheritProfile?: boolean
  blind?: boolean
  blindTerms?: readonly string[] | undefined
  captureRunnerIo?: boolean
  allowUnproven?: boolean
  trustTrace?: boolean
  homeTemplate?: string | undefined
  inject?: readonly InjectRule[]
  injectSeed?: number | undefined
}

export const defaultResultFile = 'mission.result.json'
export const defaultResultMarker = 'ZCL_RESULT_JSON:'

export function resolveProfile(options: ProfileOptions, suite: Suite): RunProfile {
  const defaults = suite.defaults ?? {}
  const mode = (options.mode ?? defaults.mode ?? 'discovery') as RunProfile['mode']
  const timeoutMs = options.timeoutMs ?? defaults.timeoutMs
  const timeoutStart = (options.timeoutStart ??
    defaults.timeoutStart ??
    (timeoutMs === undefined ? undefined : defaultTimeoutStart(mode))) as RunProfile['timeoutStart']
  const { blindTerms: terms } = options
  const blindTerms = terms ?? defaults.blindTerms
  const blind = options.blind === true || terms !== undefined || defaults.blind === true
  refuseNativeIsolation(options.sessionIsolation)
  const ignoreArgv = ignoredPatterns(options.ignorePreset ?? [], options.ignoreArgv ?? [])
  return {
    mode,
    timeoutMs,
    timeoutStart,
    ...resolveFinalization(options, suite),
    sessionIsolation: 'process',
    shims: [...new Set(options.shim ?? [])],
    ...(ignoreArgv.length === 0 ? {} : { ignoreArgv }),
    ...(options.requireShim === true ? { requireShim: true as const } : {}),
    ...(options.inheritProfile === true ? { inheritProfile: true as const } : {}),
    blind,
    ...(blind && blindTerms !== undefined ? { blindTerms: [...blindTerms] } : {}),
    captureRunnerIo: options.captureRunnerIo === true,
    ...(options.allowUnproven === true ? { allowUnproven: true as const } : {}),
    ...(options.trustTrace === true ? { trustTrace: true as const } : {}),
    ...(options.homeTemplate === undefined ? {} : { homeTemplate: options.homeTemplate }),
    ...resolveFaults(options),
  }
}

/** The settings of a mission: of the timeouts of the run and of the mission, the shorter one counts. */
export function missionProfile(profile: RunProfile, suite: Suite, missionId: string): RunProfile {
  const own = findMission(suite, missionId)?.timeoutMs
  if (own === undefined || own > (profile.timeoutMs ?? Infinity)) return profile
  const timeoutStart = profile.timeoutStart ?? defaultTimeoutStart(profile.mode)
  return { ...profile, timeoutMs: own, timeoutStart }
}

/** Whether the outcome of the attempts comes from a result channel. */
export function hasResultChannel(options: ProfileOptions, suite: Suite): boolean {
  return resolveFinalization(options, suite).finalizationMode === 'auto_from_result_json'
}

/** Without a seed, one is chosen and stored, so that a run can be repeated. */
function resolveFaults({ inject = [], injectSeed }: ProfileOptions) {
  if (inject.length === 0) return {}
  const seed = injectSeed ?? randomInt(2 ** 31)
  return { inject: inject.map(injectText), injectSeed: seed }
}

/** Throws when a prompt of a blind run names the harness. */
export function refuseContaminatedPrompts(suite: Suite, { blind, blindTerms }: RunProfile): void {
  if (!blind) return
  for (const { missionId, prompt } of suite.missions) {
    const terms = harnessTermsIn(prompt ?? '', blindTerms)
    if (terms.length === 0) continue
    const message = `the prompt of ${missionId} names the harness: ${terms.join(', ')}`
    throw zclError('ZCL_E_CONTAMINATED_PROMPT', message)
  }
}

function refuseNativeIsolation(isolation: string | undefined): void {
  if (isolation !== 'native') return
  const message = 'native sessions are not supported yet; use --session-isolation process'
  throw zclError('ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED', message)
}

function resolveFinalization(
  options: ProfileOptions,
  suite: Suite,
): Pick<RunProfile, 'feedbackPolicy' | 'finalizationMode' | 'resultChannel'> {
  const policy = (options.feedbackPolicy ??
    suite.defaults?.feedbackPolicy ??
    'auto_fail') as RunProfile['feedbackPolicy']
  const requested = options.resultChannel as ResultChannel['kind'] | undefined
  const hasChannel = requested !== undefined && requested !== 'none'
  const mode = (options.finalizationMode ??
    (hasChannel ? 'auto_from_result_json' : policy)) as RunProfile['finalizationMode']
  const wantsResult = mode === 'auto_from_result_json'
  if (hasChannel && !wantsResult) {
    const message = `--result-channel ${requested} needs --finalization-mode auto_from_result_json`
    throw zclError('ZCL_E_USAGE', message)
  }
  if (wantsResult && requested === 'none') {
    const message = '--finalization-mode auto_from_result_json needs a --result-channel'
    throw zclError('ZCL_E_USAGE', message)
  }
  const kind = wantsResult ? (requested ?? 'file_json') : 'none'
  return {
    feedbackPolicy: policy,
    finalizationMode: mode,
    resultChannel: resolveChannel(options, kind),
  }
}

function resolveChannel(options: ProfileOptions, kind: ResultChannel['kind']): ResultChannel {
  const path = options.resultFile ?? defaultResultFile
  if (/^\/|^$|(?:^|\/)\.\.(?:\/|$)/.test(path)) {
    throw zclError('ZCL_E_USAGE', '--result-file must be a path below the attempt folder')
  }
  const marker = options.resultMarker ?? defaultResultMarker
  if (marker.trim() === '' || /[\r\n]/.test(marker)) {
    throw zclError('ZCL_E_USAGE', '--result-marker must be one line of text')
  }
  return { kind, path, marker, minTurn: options.resultMinTurn ?? 0 }
}
