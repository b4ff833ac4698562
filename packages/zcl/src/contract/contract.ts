// The surface contract: what `zcl contract --json` prints, made from the tables that the rest of zcl
// works by, so that description and behaviour cannot differ.
import { describeArtifacts, describeEvents } from './artifacts.ts'
import type { ArtifactDescription, EventDescription } from './artifacts.ts'
import { everyCode, type CodeDescription } from '../codes/codes.ts'

export interface CommandDescription {
  /** The words as typed, joined by one space. */
  id: string
  /** Starts with `zcl <id>`. */
  usage: string
  summary: string
}

export interface Contract {
  name: 'zcl'
  version: string
  artifactLayoutVersion: 1
  traceSchemaVersion: 1
  artifacts: ArtifactDescription[]
  events: EventDescription[]
  commands: CommandDescription[]
  errors: CodeDescription[]
  /** JSON Schema of the specification of a campaign. */
  campaignSchema: object
}

export function describeContract(
  version: string,
  commands: CommandDescription[],
  campaignSchema: object,
): Contract {
  return {
    name: 'zcl',
    version,
    artifactLayoutVersion: 1,
    traceSchemaVersion: 1,
    artifacts: describeArtifacts(),
    events: describeEvents(),
    commands,
    errors: everyCode(),
    campaignSchema,
  }
}
