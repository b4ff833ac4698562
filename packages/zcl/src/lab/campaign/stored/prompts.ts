// mission.prompts.json: the prompt of every flow and mission of a campaign in one file. `zcl mission
// prompts build` writes it, as the original zcl does, and a campaign may use it as its source of missions.
import { readBoundedFile } from '@zee/core/bounded-file'
import { fileError, reasonOf } from '@zee/core/errors'
import { kebabId } from '@zee/core/ids'
import { isObject } from '@zee/core/json'
import { zclError } from '../../../errors/errors.ts'

export const promptsFileName = 'mission.prompts.json'

export interface StoredPrompt {
  missionId: string
  /** Absent if the prompt is the same in every flow. */
  flowId?: string
  prompt: string
}

/** The prompts of a file, in its order; throws if it cannot be one. */
export function readPrompts(file: string): StoredPrompt[] {
  const value = readJson(file)
  const entries = isObject(value) ? (value.prompts ?? value.missions) : value
  if (!Array.isArray(entries) || entries.length === 0) {
    throw zclError('ZCL_E_CONTRACT', `${file}: prompts is not a list of prompts`)
  }
  return entries.map((entry, index) => storedPrompt(entry, `${file}: prompts.${index}`))
}

function readJson(file: string): unknown {
  let text: string
  try {
    text = readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is not JSON: ${reasonOf(error)}`)
  }
}

function storedPrompt(entry: unknown, place: string): StoredPrompt {
  const { missionId, flowId, prompt, text } = isObject(entry) ? entry : {}
  const id = typeof missionId === 'string' ? kebabId(missionId) : ''
  if (id === '') throw zclError('ZCL_E_CONTRACT', `${place} has no missionId`)
  const words = prompt ?? text
  if (typeof words !== 'string') throw zclError('ZCL_E_CONTRACT', `${place} has no prompt`)
  const flow = typeof flowId === 'string' ? { flowId } : {}
  return { missionId: id, ...flow, prompt: words }
}
