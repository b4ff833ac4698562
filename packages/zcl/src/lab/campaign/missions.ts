// Loads the missions of a campaign and the prompts of each flow: from Markdown files or suites, filled
// into the flow's template.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { kebabId } from '@zee/core/ids'
import { fileError } from '@zee/core/errors'
import { findMission, normaliseSuite, type Mission, type Suite } from '@zee/evidence/suite'
import { readSuiteFile } from '../../input/input.ts'
import { zclError } from '../../errors/errors.ts'
import type { CampaignSpec, FlowSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { readPrompts } from './stored/stored.ts'

export interface CampaignMission {
  missionId: string
  /** The absolute path of its oracle, if it has one. */
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

/** Returns the selected missions, and for each flow a suite of exactly these. */
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
  const available = prompts?.map(([id]) => id) ?? idsOfSuites(spec, suites, file)
  const ids = selectMissions(available, spec, file).slice(0, limit)
  const missions = ids.map((missionId) => ({ missionId, ...oracleOf(spec, folder, missionId) }))
  const flows = spec.flows.map((flow) => {
    const source = flow.promptSource?.path ?? commonSource(spec)
    const flowPrompts = source === undefined ? undefined : promptsIn(folder, source, flow.flowId)
    const suite = suiteOf({ loaded, flow, ids, prompts: flowPrompts, from: suites.get(flow) })
    return { flow, suite }
  })
  return { missions, flows }
}

function promptsOf(spec: CampaignSpec, folder: string): [string, string][] | undefined {
  const source = commonSource(spec)
  return source === undefined ? undefined : promptsIn(folder, source)
}

function commonSource({ missionSource }: CampaignSpec): string | undefined {
  return missionSource?.path ?? missionSource?.promptSource?.path
}

/** The mission ids and prompts of a folder, or of a `mission.prompts.json` for one flow. */
function promptsIn(base: string, source: string, flowId?: string): [string, string][] {
  if (!source.endsWith('.json')) return markdownIn(base, source)
  const stored = readPrompts(path.resolve(base, source))
  const ofFlow = stored.filter((each) => each.flowId === flowId)
  // A prompt of the flow itself comes last and wins.
  const ordered = [...stored.filter((each) => !ofFlow.includes(each)), ...ofFlow]
  const texts = new Map(ordered.map(({ missionId, prompt }) => [missionId, prompt]))
  return [...new Set(stored.map(({ missionId }) => missionId))].map((id) => [
    id,
    texts.get(id) ?? '',
  ])
}

/** The mission ids and prompts of the `*.md` files in a folder, sorted by file name. */
function markdownIn(base: string, source: string): [string, string][] {
  const folder = path.resolve(base, source)
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.md') && !name.startsWith('.'))
  } catch (error) {
    throw fileError('read', folder, error)
  }
  if (names.length === 0) throw zclError('ZCL_E_CONTRACT', `${folder} holds no *.md`)
  return names.sort().map((name) => {
    const id = kebabId(path.basename(name, '.md'))
    if (id === '')
      throw zclError('ZCL_E_CONTRACT', `${name} has no character that is valid in an id`)
    return [id, readBoundedText(path.join(folder, name))]
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
    const message = `${file}: no missions; add missionSource, or a suiteFile for each flow`
    throw zclError('ZCL_E_CONTRACT', message)
  }
  return suite.missions.map(({ missionId }) => missionId)
}

function selectMissions(ids: readonly string[], spec: CampaignSpec, file: string): string[] {
  const { selection } = spec.missionSource ?? {}
  const all = [...ids]
  const chosen = ((): string[] => {
    switch (selection?.mode) {
      case 'mission_id': {
        const wanted = (selection.missionIds ?? []).map((id) => kebabId(id))
        const unknown = wanted.find((id) => !all.includes(id))
        if (unknown !== undefined) {
          throw zclError('ZCL_E_CONTRACT', `${file}: there is no mission ${unknown}`)
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
  const { totalMissions = 0 } = spec
  return totalMissions === 0 ? chosen : chosen.slice(0, totalMissions)
}

function noMissionAt(index: number, total: number, file: string): Error {
  const message = `there is no mission at index ${index}; the last index is ${total - 1}`
  return zclError('ZCL_E_CONTRACT', `${file}: missionSource.selection: ${message}`)
}

const oracleEndings = ['.json', '.yaml', '.yml']

function oracleOf(spec: CampaignSpec, folder: string, missionId: string): { oracle?: string } {
  const source = spec.missionSource?.oracleSource?.path
  if (source === undefined) return {}
  const base = path.resolve(folder, source)
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
    const base = findMission(from, missionId)
    const prompt = texts.get(missionId) ?? base?.prompt
    if (base === undefined && prompt === undefined) {
      throw zclError('ZCL_E_CONTRACT', `${loaded.file}: flow ${flow.flowId} lacks ${missionId}`)
    }
    const filled = prompt === undefined ? undefined : template(prompt, missionId)
    return { ...base, missionId, ...(filled === undefined ? {} : { prompt: filled }) }
  })
  // The id in the file, not `--campaign-id`: campaigns under other ids stay comparable.
  const { campaignId: suiteId } = loaded.spec
  return normaliseSuite({ ...from, suiteId, missions }, loaded.file)
}

/** Fills `{{prompt}}`, `{{missionId}}`, `{{flowId}}` and the allowed variables of the runner. */
function templateOf(flow: FlowSpec, folder: string): (prompt: string, missionId: string) => string {
  const { promptTemplate, flowId, runner } = flow
  if (promptTemplate === undefined) return (prompt) => prompt
  const file = path.resolve(folder, promptTemplate.path)
  const source = readBoundedText(file)
  const allowed = new Set(promptTemplate.allowRunnerEnvKeys)
  return (prompt, missionId) =>
    source.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_whole, name: string) => {
      if (name === 'prompt') return prompt
      if (name === 'missionId') return missionId
      if (name === 'flowId') return flowId
      const key = name.startsWith('env.') ? name.slice(4) : ''
      const value = allowed.has(key) ? runner.env?.[key] : undefined
      if (value !== undefined) return value
      throw zclError('ZCL_E_CONTRACT', `${file}: {{${name}}} is unknown or not allowed`)
    })
}
