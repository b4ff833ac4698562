// Builds the document of `zcl contract --json` from the tables that zcl itself uses, so that description
// and behaviour cannot differ.
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
  /** JSON Schema of a campaign specification. */
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
