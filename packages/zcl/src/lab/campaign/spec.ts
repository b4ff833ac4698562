// Reads the specification of a campaign: YAML or JSON, checked as a whole, notes left out.
import path from 'node:path'
import { kebabId } from '@zee/core/ids'
import * as z from 'zod/mini'
import { loadYaml, readText } from '../../input/input.ts'
import { zclError } from '../../errors/errors.ts'
import { specSchema, type CampaignSpec } from './campaign.ts'

export interface LoadedSpec {
  spec: CampaignSpec
  /** Canonical. */
  campaignId: string
  /** What relative paths in it start from. */
  folder: string
  file: string
}

export async function loadSpec(file: string, cwd: string): Promise<LoadedSpec> {
  const source = await readText(file, cwd)
  let value: unknown
  try {
    value = (await loadYaml())(source)
  } catch {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is neither YAML nor JSON`)
  }
  const spec = parseSpec(value, file)
  const campaignId = kebabId(spec.campaignId)
  if (campaignId === '')
    throw zclError('ZCL_E_CONTRACT', `${file}: campaignId has no usable character`)
  return { spec, campaignId, folder: path.dirname(path.resolve(cwd, file)), file }
}

export function parseSpec(value: unknown, file: string): CampaignSpec {
  const read = z.safeParse(specSchema, withoutNotes(value))
  if (!read.success) throw zclError('ZCL_E_CONTRACT', `${file}: ${problemOf(read.error.issues[0])}`)
  const { flowGate, pairGate, ...rest } = read.data
  if (flowGate !== undefined && pairGate !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowGate is another name of pairGate; keep one`)
  }
  const ids = rest.flows.map(({ flowId }) => kebabId(flowId))
  const twice = ids.find((id, index) => id === '' || ids.indexOf(id) !== index)
  if (twice !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowId '${twice}' is empty or there twice`)
  }
  const flows = rest.flows.map((each, index) => ({ ...each, flowId: ids[index] ?? '' }))
  const used = pairGate ?? flowGate
  return { ...rest, flows, ...(used === undefined ? {} : { pairGate: used }) }
}

function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNotes(each)]))
}

interface Issue {
  code?: string | undefined
  path: PropertyKey[]
  keys?: string[] | undefined
}

function problemOf(issue: Issue | undefined): string {
  const place = issue?.path.map(String).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const inside = place === '' ? '' : ` in ${place}`
    return `unknown key ${(issue.keys ?? []).join(', ')}${inside} (x-... is for notes)`
  }
  return `${place || 'the specification'} is missing or not valid`
}
