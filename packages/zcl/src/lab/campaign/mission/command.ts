// `zcl mission prompts build`: writes the prompt of every flow and mission to a file, for review.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { printJson, printLines } from '../../../output/output.ts'
import { reportFindings, openCampaign, type CampaignOptions } from '../open.ts'
import { campaignFolder } from '../state.ts'

export async function runPromptsBuild(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, outRoot, findings } = await openCampaign(options, host)
  if (findings.length > 0) return reportFindings(findings, host)
  const folder = path.join(campaignFolder(outRoot, loaded.campaignId), 'prompts')
  const prompts = []
  for (const { flow, suite } of missions.flows) {
    const flowFolder = path.join(folder, flow.flowId)
    ensureFolder(flowFolder)
    for (const { missionId, prompt } of suite.missions) {
      const file = path.join(flowFolder, `${missionId}.md`)
      await writeFileAtomic(file, prompt ?? '')
      prompts.push({ flowId: flow.flowId, missionId, path: path.relative(host.cwd, file) })
    }
  }
  if (options.json) printJson(host, { ok: true, campaignId: loaded.campaignId, prompts })
  else
    printLines(
      host,
      prompts.map((each) => each.path),
    )
  return 0
}
