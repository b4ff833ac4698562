// Exports evidence as a stream of text. In refuse mode, the redaction gate checks everything first.
import type { Redactor } from '@zee/core/redact'
import type { Target } from '../runs/runs.ts'
import { atifText } from './atif.ts'
import { csvText } from './csv.ts'
import { openExport, type GateMode } from './source.ts'
import type { ExportFormat } from '../schema/vocabulary.ts'
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

/** The text of the export; throws before the first piece if the gate refuses. */
export async function exportEvidence(
  target: Exclude<Target, { kind: 'unknown' }>,
  { format, redactor, gate, version }: ExportOptions,
): Promise<AsyncGenerator<string>> {
  const source = await openExport(target, redactor, gate)
  switch (format) {
    case 'otlp-json':
      return otlpText(source, { version })
    case 'atif':
      return atifText(source, { isRun: target.kind === 'run' })
    case 'junit':
      return junitText(source)
    case 'csv':
      return csvText(source)
    case 'jsonl':
      return jsonlText(source)
  }
}
