// `zcl mission prompts build`: what each agent will be told, to be looked at before anything is run.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { printJson, printLines } from '../../../output/output.ts'
import { complainAbout, openCampaign, type CampaignOptions } from '../open.ts'
import { campaignFolder } from '../state.ts'

/** What each agent will be told, as files to be read before anything is run. */
export async function runPromptsBuild(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, outRoot, findings } = await openCampaign(options, host)
  if (findings.length > 0) return complainAbout(findings, host)
  const folder = path.join(campaignFolder(outRoot, loaded.campaignId), 'prompts')
  const prompts = []
  for (const { flow, suite } of missions.flows) {
    const place = path.join(folder, flow.flowId)
    ensureFolder(place)
    for (const { missionId, prompt } of suite.missions) {
      const file = path.join(place, `${missionId}.md`)
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
