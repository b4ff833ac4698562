// From the options of a campaign's command to the campaign: its specification with everything that it
// names, or what is kept of one that was begun.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { outRootFor } from '../../config/config.ts'
import { complain } from '../../output/output.ts'
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
  const loaded = await loadNamed(specOf(options), options, host)
  const own = loaded.spec.outRoot
  const flag = options.outRoot ?? (own === undefined ? undefined : path.resolve(loaded.folder, own))
  const outRoot = (await outRootFor(host, flag)).absolute
  const missions = await loadMissions(loaded, options.missions)
  return {
    loaded,
    missions,
    outRoot,
    findings: lintCampaign(loaded, missions, { cwd: host.cwd, outRoot }),
  }
}

/** The specification under the id that the caller wants, if he wants another one. */
async function loadNamed(
  file: string,
  { campaignId }: CampaignOptions,
  host: Host,
): Promise<LoadedSpec> {
  const loaded = await loadSpec(file, host.cwd)
  if (campaignId === undefined) return loaded
  const own = kebabId(campaignId)
  if (own === '') throw zclError('ZCL_E_USAGE', '--campaign-id has no usable character')
  return { ...loaded, campaignId: own }
}

export function specOf({ spec }: CampaignOptions): string {
  if (spec !== undefined) return spec
  throw zclError('ZCL_E_USAGE', 'which campaign? --spec campaign.yaml')
}

export interface KnownCampaign {
  /** When it was named by its specification. */
  loaded?: LoadedSpec
  folder: string
  plan: CampaignPlan
  state: CampaignState
  outRoot: string
}

/** By its id, or by the id in its specification. */
export async function findCampaign(options: CampaignOptions, host: Host): Promise<KnownCampaign> {
  let id = options.campaignId
  let flag = options.outRoot
  let loaded: LoadedSpec | undefined
  if (options.spec !== undefined) {
    loaded = await loadNamed(options.spec, options, host)
    id ??= loaded.campaignId
    const own = loaded.spec.outRoot
    flag ??= own === undefined ? undefined : path.resolve(loaded.folder, own)
  }
  if (id === undefined) throw zclError('ZCL_E_USAGE', 'which campaign? --campaign-id or --spec')
  const outRoot = (await outRootFor(host, flag)).absolute
  const folder = campaignFolder(outRoot, kebabId(id))
  const [plan, state] = existsSync(folder) ? [readPlan(folder), readState(folder)] : []
  if (plan === undefined || state === undefined) {
    throw zclError('ZCL_E_USAGE', `there is no campaign ${kebabId(id)} in ${outRoot}`)
  }
  const missions = plan.missions.slice(0, options.missions)
  const known = { folder, plan: { ...plan, missions }, state, outRoot }
  return loaded === undefined ? known : { ...known, loaded }
}

/** A line for each; the exit code. */
export function complainAbout(findings: readonly LintFinding[], host: Host): number {
  for (const { code, message, path: place } of findings)
    complain(host, code, `${place}: ${message}`)
  return findings.length === 0 ? 0 : 2
}
