// Exports evidence as a stream of text or bytes. In refuse mode, the redaction gate checks everything first.
import type { Redactor } from '@zee/core/redact'
import type { Target } from '../runs/runs.ts'
import { atifText } from './atif.ts'
import { csvText } from './csv.ts'
import { openExport, type ExportSource, type GateMode } from './source.ts'
import type { ExportFormat } from '../schema/vocabulary.ts'
import { inspectLog } from './inspect.ts'
import { jsonlText } from './jsonl.ts'
import { junitText } from './junit.ts'
import { otlpText } from './otlp.ts'

export { csvField } from './csv.ts'
export { xmlAttributes, escapeXml } from './junit.ts'

export interface ExportOptions {
  format: ExportFormat
  redactor: Redactor
  /** Whether a secret is refused or replaced. */
  gate: GateMode
  /** Version of the exporting program. */
  version: string
}

interface ExportContext {
  version: string
  /** Whether the target is a run; otherwise it is an attempt. */
  isRun: boolean
}

const formats: Readonly<
  Record<
    ExportFormat,
    (source: ExportSource, context: ExportContext) => AsyncGenerator<string | Uint8Array>
  >
> = {
  'otlp-json': otlpText,
  atif: atifText,
  junit: junitText,
  csv: csvText,
  jsonl: jsonlText,
  inspect: inspectLog,
  // The program converts the rows.
  parquet: csvText,
}

/** The text of the export; throws before the first piece if the gate refuses. */
export async function exportEvidence(
  target: Exclude<Target, { kind: 'unknown' }>,
  { format, redactor, gate, version }: ExportOptions,
): Promise<AsyncGenerator<string | Uint8Array>> {
  const source = await openExport(target, redactor, gate)
  return formats[format](source, { version, isRun: target.kind === 'run' })
}
