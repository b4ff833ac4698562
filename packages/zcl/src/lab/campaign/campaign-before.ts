// `zcl campaign lint`, `zcl campaign doctor` and `zcl mission prompts build`: everything that can be
// looked at before anything is run.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { findOnPath, isExecutable } from '../../find-program.ts'
import { aligned, complain, printJson, printLines } from '../../output.ts'
import { complainAbout, openCampaign, type CampaignOptions } from './campaign-open.ts'
import { campaignFolder } from './campaign-state.ts'

export async function runLint(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, findings } = await openCampaign(options, host)
  const ok = findings.length === 0
  const ids = missions.missions.map(({ missionId }) => missionId)
  const flows = loaded.spec.flows.map(({ flowId }) => flowId)
  if (options.json) {
    printJson(host, { ok, campaignId: loaded.campaignId, missions: ids, flows, findings })
  } else printLines(host, [`${loaded.campaignId}: ${ids.length} missions, ${flows.length} flows`])
  return complainAbout(findings, host)
}

/** Whether this machine can carry the campaign out. */
export async function runCampaignDoctor(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, outRoot, findings } = await openCampaign(options, host)
  const checks = [
    { id: 'spec', ok: findings.length === 0, message: findings[0]?.message },
    { id: 'missions', ok: true, message: `${missions.missions.length}` },
    { id: 'write_access', ...writable(outRoot) },
    ...loaded.spec.flows.map(({ flowId, runner }) => {
      const found = findProgram(runner.command?.[0], loaded.folder, host)
      const message = found ?? `${runner.command?.[0] ?? 'no command'} is not found`
      return { id: `runner_${flowId}`, ok: found !== undefined, message }
    }),
  ]
  const ok = checks.every((check) => check.ok)
  if (options.json) printJson(host, { ok, campaignId: loaded.campaignId, outRoot, checks })
  else
    printLines(
      host,
      aligned(checks.map(({ id, ok: fine, message }) => [fine ? 'ok' : 'bad', id, message ?? ''])),
    )
  const bad = checks.find((check) => !check.ok)
  if (bad !== undefined) {
    complain(host, 'ZCL_E_CAMPAIGN_FLOW_FAILED', `${bad.id}: ${bad.message ?? 'not ok'}`)
  }
  return ok ? 0 : 1
}

function writable(folder: string): { ok: boolean; message?: string } {
  let place = folder
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place)
  try {
    accessSync(place, constants.W_OK)
    return { ok: true }
  } catch {
    return { ok: false, message: `${place} cannot be written` }
  }
}

function findProgram(name: string | undefined, folder: string, { env }: Host): string | undefined {
  if (name === undefined) return undefined
  if (!name.includes('/')) return findOnPath(name, env)
  const file = path.resolve(folder, name)
  return isExecutable(file) ? file : undefined
}

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
