// From the options of a campaign's command to the campaign: its specification with everything that it
// names, or what is kept of one that was begun.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { zclError } from '@zee/evidence/errors'
import { outRootFor } from '../../config.ts'
import { complain } from '../../output.ts'
import { lintCampaign, type LintFinding } from './campaign-lint.ts'
import { loadMissions, type Missions } from './campaign-missions.ts'
import { loadSpec, type LoadedSpec } from './campaign-spec.ts'
import { campaignFolder, readPlan, readState } from './campaign-state.ts'
import type { CampaignPlan, CampaignState } from './campaign-state.ts'

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

export async function openCampaign(
  options: CampaignOptions,
  host: Host,
  limit?: number,
): Promise<OpenedCampaign> {
  const loaded = await loadSpec(specOf(options), host.cwd)
  const own = loaded.spec.outRoot
  const flag = options.outRoot ?? (own === undefined ? undefined : path.resolve(loaded.folder, own))
  const outRoot = (await outRootFor(host, flag)).absolute
  const missions = await loadMissions(loaded, limit)
  return {
    loaded,
    missions,
    outRoot,
    findings: lintCampaign(loaded, missions, { cwd: host.cwd, outRoot }),
  }
}

export function specOf({ spec }: CampaignOptions): string {
  if (spec !== undefined) return spec
  throw zclError('ZCL_E_USAGE', 'which campaign? --spec campaign.yaml')
}

export interface KnownCampaign {
  folder: string
  plan: CampaignPlan
  state: CampaignState
  outRoot: string
}

/** By its id, or by the id in its specification. */
export async function findCampaign(options: CampaignOptions, host: Host): Promise<KnownCampaign> {
  let id = options.campaignId
  let flag = options.outRoot
  if (options.spec !== undefined) {
    const loaded = await loadSpec(options.spec, host.cwd)
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
  return { folder, plan, state, outRoot }
}

/** A line for each; the exit code. */
export function complainAbout(findings: readonly LintFinding[], host: Host): number {
  for (const { code, message, path: place } of findings)
    complain(host, code, `${place}: ${message}`)
  return findings.length === 0 ? 0 : 2
}
