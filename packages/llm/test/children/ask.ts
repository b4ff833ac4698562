// Sends one request with the environment of this process and prints text or error as a JSON line.
import { createModel, ModelError } from '../../src/index.ts'

async function main(): Promise<void> {
  const [provider = '', model = ''] = process.argv.slice(2)
  const chat = createModel({ provider, environment: process.env })
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
  const outcome = { text: '', error: '' }
  try {
    for await (const event of chat.stream({ model, maxTokens: 10, messages })) {
      if (event.type === 'text') outcome.text += event.text
    }
  } catch (error) {
    outcome.error = error instanceof ModelError ? error.message : String(error)
  }
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}

void main()
