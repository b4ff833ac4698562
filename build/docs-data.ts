// The data for the generated docs, imported from the code.
import { configJsonSchema, configTable } from '@zee/core/config-docs'
import * as evidence from '@zee/evidence/schema'
import { suiteFileSchema } from '@zee/evidence/suite'
import * as z from 'zod/mini'
import { everyCode } from '../packages/zcl/src/codes/codes.ts'
import { zclConfig } from '../packages/zcl/src/config/config.ts'
import { campaignJsonSchema } from '../packages/zcl/src/lab/campaign/campaign.ts'
import { zdxConfig } from '../packages/zdx/src/settings/schema.ts'
import { zinoConfig } from '../packages/zino/src/config/schema.ts'
import { formats } from './docs-formats.ts'

/** The settings of each program with a configuration file. */
export const configs = { zdx: zdxConfig, zino: zinoConfig, zcl: zclConfig }

export const configFiles = { zdx: 'config.toml', zino: 'ZINO.toml', zcl: 'zcl.config.json' }

export { configTable, everyCode }

/** Contents of docs/schemas, by file name. */
export function schemaFiles(): Record<string, object> {
  const files: Record<string, object> = {}
  for (const [program, definition] of Object.entries(configs)) {
    files[`${program}-config.json`] = configJsonSchema(definition)
  }
  for (const [name, schema] of Object.entries(evidence)) {
    if (!(schema instanceof z.ZodMiniObject)) continue
    const words = name.replace(/Schema$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter}`)
    files[`zcl-${words.toLowerCase()}.json`] = jsonSchema(titles[name] ?? name, schema)
  }
  for (const [name, { title, schema }] of Object.entries(formats)) {
    files[name] = jsonSchema(title, schema)
  }
  files['zcl-suite.json'] = jsonSchema('A suite, in YAML or JSON', suiteFileSchema)
  files['zcl-campaign.json'] = campaignJsonSchema()
  return files
}

function jsonSchema(title: string, schema: z.ZodMiniType): object {
  const { $schema, ...rules } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { $schema, title, ...rules }
}

const titles: Readonly<Record<string, string>> = {
  runSchema: 'run.json',
  attemptSchema: 'attempt.json',
  traceEventSchema: 'One line of tool.calls.jsonl',
  feedbackSchema: 'feedback.json',
  noteSchema: 'One line of notes.jsonl',
  beginSchema: 'One line of tool.begins.jsonl',
  messageSchema: 'One line of messages.jsonl',
  captureSchema: 'One line of captures.jsonl',
  metricsSchema: 'metrics of attempt.report.json',
  findingSchema: 'One of findings in attempt.report.json',
  reportSchema: 'attempt.report.json',
  runReportSchema: 'run.report.json',
  runnerRefSchema: 'runner.ref.json',
  runnerMetricsSchema: 'runner.metrics.json',
}
