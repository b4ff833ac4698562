// Reads and validates the specification of a campaign (YAML or JSON), and drops its `x-` notes.
import path from 'node:path'
import { reasonOf } from '@zee/core/errors'
import { kebabId } from '@zee/core/ids'
import * as z from 'zod/mini'
import { loadYaml, readText } from '../../input/input.ts'
import { zclError } from '../../errors/errors.ts'
import { specSchema, type CampaignSpec } from './campaign.ts'

export interface LoadedSpec {
  spec: CampaignSpec
  /** In kebab case. */
  campaignId: string
  /** The base of relative paths in it. */
  folder: string
  file: string
}

export async function loadSpec(file: string, cwd: string): Promise<LoadedSpec> {
  const source = await readText(file, cwd)
  let value: unknown
  try {
    value = (await loadYaml())(source).value
  } catch (error) {
    const message = `${file} is neither YAML nor JSON: ${reasonOf(error)}`
    throw zclError('ZCL_E_INVALID_JSON', message, error)
  }
  const spec = parseSpec(value, file)
  const campaignId = kebabId(spec.campaignId)
  if (campaignId === '')
    throw zclError('ZCL_E_CONTRACT', `${file}: campaignId has no usable character`)
  return { spec, campaignId, folder: path.dirname(path.resolve(cwd, file)), file }
}

export function parseSpec(value: unknown, file: string): CampaignSpec {
  const read = z.safeParse(specSchema, withoutNotes(value))
  if (!read.success)
    throw zclError('ZCL_E_CONTRACT', `${file}: ${describeIssue(read.error.issues[0])}`)
  const { flowGate, pairGate, ...rest } = read.data
  if (flowGate !== undefined && pairGate !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowGate is another name of pairGate; keep one`)
  }
  const ids = rest.flows.map(({ flowId }) => kebabId(flowId))
  const duplicate = ids.find((id, index) => id === '' || ids.indexOf(id) !== index)
  if (duplicate !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowId '${duplicate}' is empty or used twice`)
  }
  const flows = rest.flows.map((each, index) => ({ ...each, flowId: ids[index] ?? '' }))
  const gate = pairGate ?? flowGate
  return { ...rest, flows, ...(gate === undefined ? {} : { pairGate: gate }) }
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

function describeIssue(issue: Issue | undefined): string {
  const key = issue?.path.map(String).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const inside = key === '' ? '' : ` in ${key}`
    return `unknown key ${(issue.keys ?? []).join(', ')}${inside} (x-... is for notes)`
  }
  return `${key || 'the specification'} is missing or not valid`
}
