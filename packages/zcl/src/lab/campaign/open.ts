// Opens the campaign that a command's options name: a specification with its missions, or the stored
// plan and state of a started campaign.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { outRootFor } from '../../config/config.ts'
import { complain, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { lintCampaign, type LintFinding } from './lint.ts'
import { loadMissions, type Missions } from './missions.ts'
import { loadSpec, type LoadedSpec } from './spec.ts'
import { campaignFolder, readPlan, readState } from './state.ts'
import type { CampaignPlan, CampaignState } from './state.ts'

export interface CampaignOptions {
  spec?: string | undefined
  campaignId?: string | undefined
  missions?: number | undefined
  outRoot?: string | undefined
  force?: boolean
  json: boolean
}

export interface OpenedCampaign {
  loaded: LoadedSpec
  missions: Missions
  outRoot: string
  findings: LintFinding[]
}

export async function openCampaign(options: CampaignOptions, host: Host): Promise<OpenedCampaign> {
  const loaded = await loadWithId(requiredSpec(options), options, host)
  const specRoot = loaded.spec.outRoot
  const flag =
    options.outRoot ?? (specRoot === undefined ? undefined : path.resolve(loaded.folder, specRoot))
  const outRoot = (await outRootFor(host, flag)).absolute
  const missions = await loadMissions(loaded, options.missions)
  return {
    loaded,
    missions,
    outRoot,
    findings: lintCampaign(loaded, missions, { cwd: host.cwd, outRoot }),
  }
}

/** Loads the specification; `--campaign-id` overrides its id. */
async function loadWithId(
  file: string,
  { campaignId }: CampaignOptions,
  host: Host,
): Promise<LoadedSpec> {
  const loaded = await loadSpec(file, host.cwd)
  if (campaignId === undefined) return loaded
  const id = kebabId(campaignId)
  if (id === '') throw zclError('ZCL_E_USAGE', '--campaign-id has no usable character')
  return { ...loaded, campaignId: id }
}

export function requiredSpec({ spec }: CampaignOptions): string {
  if (spec !== undefined) return spec
  throw zclError('ZCL_E_USAGE', 'name the campaign: --spec campaign.yaml')
}

export interface StoredCampaign {
  /** Set when `--spec` named the campaign. */
  loaded?: LoadedSpec | undefined
  folder: string
  plan: CampaignPlan
  state: CampaignState
  outRoot: string
}

/** Finds a started campaign by its id, or by the id in its specification. */
export async function findCampaign(options: CampaignOptions, host: Host): Promise<StoredCampaign> {
  let id = options.campaignId
  let flag = options.outRoot
  let loaded: LoadedSpec | undefined
  if (options.spec !== undefined) {
    loaded = await loadWithId(options.spec, options, host)
    id ??= loaded.campaignId
    const specRoot = loaded.spec.outRoot
    flag ??= specRoot === undefined ? undefined : path.resolve(loaded.folder, specRoot)
  }
  if (id === undefined) throw zclError('ZCL_E_USAGE', 'name the campaign: --campaign-id or --spec')
  const outRoot = (await outRootFor(host, flag)).absolute
  const folder = campaignFolder(outRoot, kebabId(id))
  const [plan, state] = existsSync(folder) ? [readPlan(folder), readState(folder)] : []
  if (plan === undefined || state === undefined) {
    throw zclError('ZCL_E_USAGE', `there is no campaign ${kebabId(id)} in ${outRoot}`)
  }
  const missions = plan.missions.slice(0, options.missions)
  return { loaded, folder, plan: { ...plan, missions }, state, outRoot }
}

/**
 * Prints the first finding as the error, without `--json` all of several to standard output, and returns the
 * exit code.
 */
export function reportFindings(
  findings: readonly LintFinding[],
  host: Host,
  { json }: Pick<CampaignOptions, 'json'>,
): number {
  const [first] = findings
  if (first === undefined) return 0
  const lines = findings.map(({ code, message, path: key }) => `  ${code}  ${key}: ${message}`)
  if (!json && lines.length > 1) printLines(host, lines)
  const others = lines.length === 1 ? '' : ` (and ${lines.length - 1} more)`
  complain(host, first.code, `${first.path}: ${first.message}${others}`)
  return 2
}
