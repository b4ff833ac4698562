// The events themselves, one a line, attempt after attempt; each carries its ids.
import type { ExportSource } from './source.ts'

export async function* jsonlText({ attempts }: ExportSource): AsyncGenerator<string> {
  for (const attempt of attempts) {
    for await (const { record } of attempt.events()) yield `${JSON.stringify(record)}\n`
  }
}
