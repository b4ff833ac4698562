// The list of artifacts with their paths. `zcl contract` and the docs are generated from it; the required
// fields come from the schemas of the validator.
import type * as z from 'zod/mini'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import * as schemas from '@zee/evidence/schema'

export interface ArtifactDescription {
  id: string
  kind: 'json' | 'jsonl' | 'text'
  schemaVersions: number[]
  /** Whether every complete attempt or run has it. */
  required: boolean
  pathPattern: string
  requiredFields: string[]
}

export interface EventDescription {
  stream: string
  schemaVersions: number[]
  requiredFields: string[]
}

const inRun = 'runs/<runId>/'
const inAttempt = `${inRun}attempts/<attemptId>/`
const inCampaign = 'campaigns/<campaignId>/'

interface Row {
  name: string
  kind: ArtifactDescription['kind']
  folder: string
  required?: boolean
  schema?: z.ZodMiniObject
}

const rows: readonly Row[] = [
  {
    name: artifactName.run,
    kind: 'json',
    folder: inRun,
    required: true,
    schema: schemas.runSchema,
  },
  { name: artifactName.suite, kind: 'json', folder: inRun },
  { name: artifactName.runReport, kind: 'json', folder: inRun, schema: schemas.runReportSchema },
  { name: labArtifactName.runPlan, kind: 'json', folder: inRun },
  { name: labArtifactName.runSummary, kind: 'json', folder: inRun },
  {
    name: artifactName.attempt,
    kind: 'json',
    folder: inAttempt,
    required: true,
    schema: schemas.attemptSchema,
  },
  { name: artifactName.prompt, kind: 'text', folder: inAttempt },
  {
    name: artifactName.trace,
    kind: 'jsonl',
    folder: inAttempt,
    required: true,
    schema: schemas.traceEventSchema,
  },
  { name: artifactName.begins, kind: 'jsonl', folder: inAttempt, schema: schemas.beginSchema },
  {
    name: artifactName.feedback,
    kind: 'json',
    folder: inAttempt,
    required: true,
    schema: schemas.feedbackSchema,
  },
  { name: artifactName.notes, kind: 'jsonl', folder: inAttempt, schema: schemas.noteSchema },
  { name: artifactName.messages, kind: 'jsonl', folder: inAttempt, schema: schemas.messageSchema },
  { name: artifactName.report, kind: 'json', folder: inAttempt, schema: schemas.reportSchema },
  {
    name: artifactName.runnerRef,
    kind: 'json',
    folder: inAttempt,
    schema: schemas.runnerRefSchema,
  },
  {
    name: artifactName.runnerMetrics,
    kind: 'json',
    folder: inAttempt,
    schema: schemas.runnerMetricsSchema,
  },
  { name: labArtifactName.outcome, kind: 'json', folder: inAttempt },
  { name: labArtifactName.oracleVerdict, kind: 'json', folder: inAttempt },
  { name: labArtifactName.harnessRecord, kind: 'json', folder: inAttempt },
  { name: labArtifactName.workspace, kind: 'json', folder: inAttempt },
  { name: labArtifactName.workspaceDiff, kind: 'text', folder: inAttempt },
  { name: labArtifactName.verification, kind: 'json', folder: inAttempt },
  { name: labArtifactName.score, kind: 'json', folder: inAttempt },
  { name: labArtifactName.judge, kind: 'json', folder: inAttempt },
  { name: labArtifactName.fork, kind: 'json', folder: inAttempt },
  { name: labArtifactName.served, kind: 'jsonl', folder: inAttempt },
  { name: 'http-ca.pem', kind: 'text', folder: inAttempt },
  { name: artifactName.attemptEnv, kind: 'text', folder: inAttempt },
  { name: artifactName.runnerCommand, kind: 'text', folder: inAttempt },
  { name: artifactName.runnerStdout, kind: 'text', folder: inAttempt },
  { name: artifactName.runnerStderr, kind: 'text', folder: inAttempt },
  { name: artifactName.captures, kind: 'jsonl', folder: inAttempt, schema: schemas.captureSchema },
  { name: 'campaign.plan.json', kind: 'json', folder: inCampaign },
  { name: 'campaign.progress.jsonl', kind: 'jsonl', folder: inCampaign },
  { name: 'campaign.run.state.json', kind: 'json', folder: inCampaign },
  { name: 'campaign.report.json', kind: 'json', folder: inCampaign },
  { name: 'campaign.summary.json', kind: 'json', folder: inCampaign },
  { name: 'RESULTS.md', kind: 'text', folder: inCampaign },
  { name: 'mission.prompts.json', kind: 'json', folder: inCampaign },
]

export function describeArtifacts(): ArtifactDescription[] {
  return rows.map(({ name, kind, folder, required = false, schema }) => ({
    id: name,
    kind,
    schemaVersions: schema === undefined ? [] : [1],
    required,
    pathPattern: folder + name,
    requiredFields: requiredFieldsOf(schema),
  }))
}

export function describeEvents(): EventDescription[] {
  return rows
    .filter(({ kind, schema }) => kind === 'jsonl' && schema !== undefined)
    .map(({ name, schema }) => ({
      stream: name,
      schemaVersions: [1],
      requiredFields: requiredFieldsOf(schema),
    }))
}

/** The required keys of the schema, in the order of writing. */
function requiredFieldsOf(schema: z.ZodMiniObject | undefined): string[] {
  if (schema === undefined) return []
  return Object.entries(schema.shape)
    .filter(([, field]) => field._zod.def.type !== 'optional')
    .map(([key]) => key)
}
