// Exports the events unchanged, one per line, attempt by attempt.
import type { ExportSource } from './source.ts'

export async function* jsonlText({ attempts }: ExportSource): AsyncGenerator<string> {
  for (const attempt of attempts) {
    for await (const { record } of attempt.events()) yield `${JSON.stringify(record)}\n`
  }
}
