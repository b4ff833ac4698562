// How the attempts of a run are measured: flags first, then the suite's defaults. Everything that
// contradicts itself is refused here, before anything is written.
import { harnessTermsIn, type Suite } from '@zee/evidence/suite'
import { defaultTimeoutStart } from '@zee/evidence/attempt'
import type { AttemptFile } from '@zee/evidence/schema'
import { zclError } from '../errors/errors.ts'
import type { feedbackPolicies, finalizationModes, resultChannels } from './words.ts'

export interface ResultChannel {
  kind: (typeof resultChannels)[number]
  /** With `file_json`: in the attempt's folder, or else in its scratch folder. */
  path: string
  /** With `stdout_json`: what a line with a result starts with. */
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
  blind: boolean
  blindTerms?: string[]
  captureRunnerIo: boolean
  /** A folder whose content every attempt's HOME begins with. */
  homeTemplate?: string
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
  blind?: boolean
  blindTerms?: readonly string[] | undefined
  captureRunnerIo?: boolean
  homeTemplate?: string | undefined
}

export const defaultResultFile = 'mission.result.json'
export const defaultResultMarker = 'ZCL_RESULT_JSON:'

export function profileOf(options: ProfileOptions, suite: Suite): RunProfile {
  const defaults = suite.defaults ?? {}
  const mode = (options.mode ?? defaults.mode ?? 'discovery') as RunProfile['mode']
  const timeoutMs = options.timeoutMs ?? defaults.timeoutMs
  const timeoutStart = (options.timeoutStart ??
    defaults.timeoutStart ??
    (timeoutMs === undefined ? undefined : defaultTimeoutStart(mode))) as RunProfile['timeoutStart']
  const { blindTerms: terms } = options
  const blindTerms = terms ?? defaults.blindTerms
  const blind = options.blind === true || terms !== undefined || defaults.blind === true
  refuseNative(options.sessionIsolation)
  return {
    mode,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(timeoutStart === undefined ? {} : { timeoutStart }),
    ...finalisation(options, suite),
    sessionIsolation: 'process',
    shims: [...new Set(options.shim ?? [])],
    blind,
    ...(blind && blindTerms !== undefined ? { blindTerms: [...blindTerms] } : {}),
    captureRunnerIo: options.captureRunnerIo === true,
    ...(options.homeTemplate === undefined ? {} : { homeTemplate: options.homeTemplate }),
  }
}

/** Before any runner starts: a blind mission's prompt must not name the harness. */
export function refuseContaminated(suite: Suite, { blind, blindTerms }: RunProfile): void {
  if (!blind) return
  for (const { missionId, prompt } of suite.missions) {
    const terms = harnessTermsIn(prompt ?? '', blindTerms)
    if (terms.length === 0) continue
    const message = `the prompt of ${missionId} names the harness: ${terms.join(', ')}`
    throw zclError('ZCL_E_CONTAMINATED_PROMPT', message)
  }
}

function refuseNative(isolation: string | undefined): void {
  if (isolation !== 'native') return
  const message = 'native sessions are not supported yet; use --session-isolation process'
  throw zclError('ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED', message)
}

function finalisation(
  options: ProfileOptions,
  suite: Suite,
): Pick<RunProfile, 'feedbackPolicy' | 'finalizationMode' | 'resultChannel'> {
  const policy = (options.feedbackPolicy ??
    suite.defaults?.feedbackPolicy ??
    'auto_fail') as RunProfile['feedbackPolicy']
  const asked = options.resultChannel as ResultChannel['kind'] | undefined
  const hasChannel = asked !== undefined && asked !== 'none'
  const mode = (options.finalizationMode ??
    (hasChannel ? 'auto_from_result_json' : policy)) as RunProfile['finalizationMode']
  const wantsResult = mode === 'auto_from_result_json'
  if (hasChannel && !wantsResult) {
    const message = `--result-channel ${asked} needs --finalization-mode auto_from_result_json`
    throw zclError('ZCL_E_USAGE', message)
  }
  if (wantsResult && asked === 'none') {
    const message = '--finalization-mode auto_from_result_json needs a --result-channel'
    throw zclError('ZCL_E_USAGE', message)
  }
  const kind = wantsResult ? (asked ?? 'file_json') : 'none'
  return { feedbackPolicy: policy, finalizationMode: mode, resultChannel: channel(options, kind) }
}

function channel(options: ProfileOptions, kind: ResultChannel['kind']): ResultChannel {
  const path = options.resultFile ?? defaultResultFile
  if (/^\/|^$|(?:^|\/)\.\.(?:\/|$)/.test(path)) {
    throw zclError('ZCL_E_USAGE', '--result-file is a path below the folder of the attempt')
  }
  const marker = options.resultMarker ?? defaultResultMarker
  if (marker.trim() === '' || /[\r\n]/.test(marker)) {
    throw zclError('ZCL_E_USAGE', '--result-marker is the text that a line starts with')
  }
  return { kind, path, marker, minTurn: options.resultMinTurn ?? 0 }
}
