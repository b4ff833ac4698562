// Prints the built-in modules that the package has loaded before and after a request to a URL.
import { createModel } from '../../src/index.ts'

const network = (): string[] => {
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }
  const names = ['http', 'https', 'tls', 'zlib', 'crypto', 'child_process', 'fs/promises']
  return names.filter((name) => moduleLoadList.includes(`NativeModule ${name}`))
}

async function main(): Promise<void> {
  const before = network()
  const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: process.argv[2] }
  const model = createModel({ provider: 'anthropic', environment })
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
  let stopped = false
  for await (const event of model.stream({ model: 'm', messages }))
    stopped ||= event.type === 'stop'
  process.stdout.write(`${JSON.stringify({ before, after: network(), stopped })}\n`)
}

void main()
