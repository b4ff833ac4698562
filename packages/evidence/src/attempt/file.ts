// Reads attempt.json and its ids. Loads Node built-ins only.
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'

/** The ids that every event, note and outcome of an attempt carries. */
export interface AttemptIdentity {
  runId: string
  suiteId: string
  missionId: string
  attemptId: string
  agentId?: string | undefined
}

export function identityOf(file: Readonly<Record<string, unknown>>): AttemptIdentity {
  const { agentId } = file
  return {
    runId: textOf(file.runId),
    suiteId: textOf(file.suiteId),
    missionId: textOf(file.missionId),
    attemptId: textOf(file.attemptId),
    agentId: typeof agentId === 'string' && agentId !== '' ? agentId : undefined,
  }
}

/** Empty for an id of a wrong type. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The attempt.json of a folder; throws a typed error unless it is an object of version 1. */
export function readAttemptFile(folder: string): Record<string, unknown> {
  const file = path.join(folder, artifactName.attempt)
  let value: unknown
  try {
    value = JSON.parse(readBoundedFile(file, { noFollow: true }).toString('utf8'))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') {
      throw evidenceError(
        'ZCL_E_MISSING_ARTIFACT',
        `${file} does not exist; name the folder of an attempt with ZCL_OUT_DIR or --attempt`,
      )
    }
    if (errnoOf(error) === 'ELOOP')
      throw evidenceError('ZCL_E_CONTAINMENT', `${file} is a link`, error)
    if (errnoOf(error) !== undefined) {
      throw evidenceError('ZCL_E_IO', `cannot read ${file}: ${reasonOf(error)}`, error)
    }
    if (error instanceof ZeeError) throw evidenceError('ZCL_E_IO', error.message, error)
    throw evidenceError('ZCL_E_INVALID_JSON', `${file} is not JSON: ${reasonOf(error)}`, error)
  }
  if (!isObject(value)) {
    throw evidenceError('ZCL_E_INVALID_JSON', `${file} is not an object`)
  }
  if (!('schemaVersion' in value) || value.schemaVersion !== 1) {
    throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', `${file}: schemaVersion is not 1`)
  }
  return value as Record<string, unknown>
}
