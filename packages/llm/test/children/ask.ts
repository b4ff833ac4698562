// Asks a model once with this process's own environment and prints what came, as one JSON line.
import { createModel, ModelError } from '../../src/index.ts'

async function main(): Promise<void> {
  const [provider = '', model = ''] = process.argv.slice(2)
  const asked = createModel({ provider, environment: process.env })
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
  const told = { text: '', error: '' }
  try {
    for await (const event of asked.stream({ model, maxTokens: 10, messages })) {
      if (event.type === 'text') told.text += event.text
    }
  } catch (error) {
    told.error = error instanceof ModelError ? error.message : String(error)
  }
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

void main()
