// The missions of a campaign and what each flow tells its agent: prompts from files or suites, run
// through the flow's template.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { kebabId } from '@zee/core/ids'
import { fileError } from '@zee/core/errors'
import { findMission, normaliseSuite, type Mission, type Suite } from '@zee/evidence/suite'
import { readSuiteFile } from '../../input/input.ts'
import { zclError } from '../../errors/errors.ts'
import type { CampaignSpec, FlowSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'

export interface CampaignMission {
  missionId: string
  /** Absolute; where its oracle is, if there is one. */
  oracle?: string
}

export interface FlowMissions {
  flow: FlowSpec
  suite: Suite
}

export interface Missions {
  missions: CampaignMission[]
  flows: FlowMissions[]
}

/** Every mission that is selected, and a suite for each flow with exactly these. */
export async function loadMissions(
  loaded: LoadedSpec,
  limit: number | undefined,
): Promise<Missions> {
  const { spec, folder, file } = loaded
  const prompts = promptsOf(spec, folder)
  const suites = new Map<FlowSpec, Suite>()
  for (const flow of spec.flows) {
    if (flow.suiteFile !== undefined) suites.set(flow, await readSuiteFile(flow.suiteFile, folder))
  }
  const known = prompts?.map(([id]) => id) ?? idsOfSuites(spec, suites, file)
  const ids = selected(known, spec, file).slice(0, limit)
  const missions = ids.map((missionId) => ({ missionId, ...oracleOf(spec, folder, missionId) }))
  const flows = spec.flows.map((flow) => {
    const own =
      flow.promptSource === undefined ? prompts : markdownIn(folder, flow.promptSource.path)
    const suite = suiteOf({ loaded, flow, ids, prompts: own, from: suites.get(flow) })
    return { flow, suite }
  })
  return { missions, flows }
}

function promptsOf(spec: CampaignSpec, folder: string): [string, string][] | undefined {
  const source = spec.missionSource?.path ?? spec.missionSource?.promptSource?.path
  return source === undefined ? undefined : markdownIn(folder, source)
}

/** `*.md` of a folder by name; the name without its ending is the mission. */
function markdownIn(base: string, place: string): [string, string][] {
  const folder = path.resolve(base, place)
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.md') && !name.startsWith('.'))
  } catch (error) {
    throw fileError('read', folder, error)
  }
  if (names.length === 0) throw zclError('ZCL_E_CONTRACT', `${folder} holds no *.md`)
  return names.sort().map((name) => {
    const id = kebabId(path.basename(name, '.md'))
    if (id === '') throw zclError('ZCL_E_CONTRACT', `${name} has no character that an id can have`)
    return [id, readFileSync(path.join(folder, name), 'utf8')]
  })
}

function idsOfSuites(
  spec: CampaignSpec,
  suites: ReadonlyMap<FlowSpec, Suite>,
  file: string,
): string[] {
  const [first] = spec.flows
  const suite = first === undefined ? undefined : suites.get(first)
  if (suite === undefined) {
    const message = `${file}: where are the missions? missionSource, or a suiteFile for each flow`
    throw zclError('ZCL_E_CONTRACT', message)
  }
  return suite.missions.map(({ missionId }) => missionId)
}

function selected(ids: readonly string[], spec: CampaignSpec, file: string): string[] {
  const { selection } = spec.missionSource ?? {}
  const all = [...ids]
  const chosen = ((): string[] => {
    switch (selection?.mode) {
      case 'mission_id': {
        const wanted = (selection.missionIds ?? []).map((id) => kebabId(id))
        const stranger = wanted.find((id) => !all.includes(id))
        if (stranger !== undefined) {
          throw zclError('ZCL_E_CONTRACT', `${file}: there is no mission ${stranger}`)
        }
        return all.filter((id) => wanted.includes(id))
      }
      case 'index': {
        const beyond = selection.indexes?.find((index) => index >= all.length)
        if (beyond !== undefined) throw noMissionAt(beyond, all.length, file)
        return all.filter((_, index) => selection.indexes?.includes(index) === true)
      }
      case 'range': {
        const { start = 0, end = all.length - 1 } = selection.range ?? {}
        if (end >= all.length) throw noMissionAt(end, all.length, file)
        return all.slice(start, end + 1)
      }
      default:
        return all
    }
  })()
  if (chosen.length === 0) throw zclError('ZCL_E_CONTRACT', `${file}: no mission is selected`)
  return chosen.slice(0, spec.totalMissions)
}

function noMissionAt(index: number, total: number, file: string): Error {
  const message = `there is no mission at ${index}; the last of ${total} is at ${total - 1}`
  return zclError('ZCL_E_CONTRACT', `${file}: missionSource.selection: ${message}`)
}

const oracleEndings = ['.json', '.yaml', '.yml']

function oracleOf(spec: CampaignSpec, folder: string, missionId: string): { oracle?: string } {
  const place = spec.missionSource?.oracleSource?.path
  if (place === undefined) return {}
  const base = path.resolve(folder, place)
  const oracle = oracleEndings
    .map((ending) => path.join(base, missionId + ending))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  return oracle === undefined ? {} : { oracle }
}

interface SuiteParts {
  loaded: LoadedSpec
  flow: FlowSpec
  ids: readonly string[]
  prompts: readonly [string, string][] | undefined
  from: Suite | undefined
}

function suiteOf({ loaded, flow, ids, prompts, from }: SuiteParts): Suite {
  const template = templateOf(flow, loaded.folder)
  const texts = new Map(prompts)
  const missions: Mission[] = ids.map((missionId) => {
    const own = findMission(from, missionId)
    const prompt = texts.get(missionId) ?? own?.prompt
    if (own === undefined && prompt === undefined) {
      throw zclError('ZCL_E_CONTRACT', `${loaded.file}: flow ${flow.flowId} lacks ${missionId}`)
    }
    const filled = prompt === undefined ? undefined : template(prompt, missionId)
    return { ...own, missionId, ...(filled === undefined ? {} : { prompt: filled }) }
  })
  // Campaigns under other ids are of the same suite, and can be compared.
  const { campaignId: suiteId } = loaded.spec
  return normaliseSuite({ ...from, suiteId, missions }, loaded.file)
}

/** `{{prompt}}`, `{{missionId}}`, `{{flowId}}`, and the runner's variables that are allowed. */
function templateOf(flow: FlowSpec, folder: string): (prompt: string, missionId: string) => string {
  const { promptTemplate, flowId, runner } = flow
  if (promptTemplate === undefined) return (prompt) => prompt
  const file = path.resolve(folder, promptTemplate.path)
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
  const allowed = new Set(promptTemplate.allowRunnerEnvKeys)
  return (prompt, missionId) =>
    source.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_whole, name: string) => {
      if (name === 'prompt') return prompt
      if (name === 'missionId') return missionId
      if (name === 'flowId') return flowId
      const key = name.startsWith('env.') ? name.slice(4) : ''
      const value = allowed.has(key) ? runner.env?.[key] : undefined
      if (value !== undefined) return value
      throw zclError('ZCL_E_CONTRACT', `${file}: {{${name}}} is not known, or not allowed`)
    })
}
