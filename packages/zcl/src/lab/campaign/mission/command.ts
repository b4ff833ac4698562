// `zcl mission prompts build`: writes the prompt of every flow and mission to a file, for review, and all
// of them to mission.prompts.json.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { rfc3339 } from '@zee/core/clock'
import { recordedNow } from '../../../clock/clock.ts'
import { printJson, printLines } from '../../../output/output.ts'
import { reportFindings, openCampaign, type CampaignOptions } from '../open.ts'
import { campaignFolder, writeCampaignFile } from '../state.ts'
import { promptsFileName, type StoredPrompt } from '../stored/stored.ts'

export async function runPromptsBuild(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, outRoot, findings } = await openCampaign(options, host)
  if (findings.length > 0) return reportFindings(findings, host, options)
  const folder = path.join(campaignFolder(outRoot, loaded.campaignId), 'prompts')
  const prompts = []
  const stored: StoredPrompt[] = []
  for (const { flow, suite } of missions.flows) {
    const flowFolder = path.join(folder, flow.flowId)
    ensureFolder(flowFolder)
    for (const { missionId, prompt } of suite.missions) {
      const file = path.join(flowFolder, `${missionId}.md`)
      await writeFileAtomic(file, prompt ?? '')
      prompts.push({ flowId: flow.flowId, missionId, path: path.relative(host.cwd, file) })
      stored.push({ flowId: flow.flowId, missionId, prompt: prompt ?? '' })
    }
  }
  const createdAt = rfc3339(recordedNow(host))
  const file = { schemaVersion: 1, campaignId: loaded.campaignId, createdAt, prompts: stored }
  await writeCampaignFile(path.dirname(folder), promptsFileName, file)
  if (options.json) printJson(host, { ok: true, campaignId: loaded.campaignId, prompts })
  else
    printLines(
      host,
      prompts.map((each) => each.path),
    )
  return 0
}
