// Maps a failed read to a typed error, for callers that need the artifact.
import type { ZeeError } from '@zee/core/errors'
import type { JsonArtifact } from './artifact.ts'
import { evidenceError } from '../errors/errors.ts'

export type UnreadArtifact = Exclude<JsonArtifact, { failure?: undefined }>

/** The error for a failed read; its message calls the file `name`. */
export function artifactError(read: UnreadArtifact, name: string): ZeeError {
  switch (read.failure) {
    case 'missing':
      return evidenceError('ZCL_E_MISSING_ARTIFACT', `${name} is not there`)
    case 'io':
      return evidenceError('ZCL_E_IO', `cannot read ${name}: ${read.reason}`)
    case 'invalid':
      return evidenceError('ZCL_E_INVALID_JSON', `${name} does not parse: ${read.reason}`)
    case 'too_large':
      return evidenceError('ZCL_E_BOUNDS', `${name} is too large`)
    case 'too_deep':
      return evidenceError('ZCL_E_BOUNDS', `${name} nests too deep`)
    case 'outside':
      return evidenceError('ZCL_E_CONTAINMENT', `${name} leaves the run`)
    case 'irregular':
      return evidenceError('ZCL_E_CONTRACT', `${name} is not a regular file`)
  }
}
