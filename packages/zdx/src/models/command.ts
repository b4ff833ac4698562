// `zdx models`: prints one `provider:model` per line; stderr says why a provider lists none.
import { oneLine } from '@zee/core/errors'
import { fitLines } from '@zee/core/fit-lines'
import type { Call } from '@zee/core/command-line'
import { findApiKey, type ProviderRow } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import { streamWriter } from '@zee/core/lossless'
import { createSpinner } from '../render/render.ts'
import { loadSettings } from '../settings/settings.ts'
import { storedKey } from './models.ts'
import type { ModelListing } from './local-servers.ts'
import { listProviderModels } from './local-servers.ts'
import { configuredBaseUrl, providerRows, requireProvider } from '../providers/providers.ts'

export async function runModels({
  host,
  globals,
  args,
}: Pick<Call, 'host' | 'args'> & { globals: Globals }): Promise<number> {
  const settings = await loadSettings(host, globals)
  const all = providerRows(settings.values).filter(({ wire }) => wire !== 'script')
  const requested = args[0] ?? globals.provider
  const rows = requested === undefined ? all : [requireProvider(all, requested)]
  const { signal } = new AbortController()
  const spinner = createSpinner(host)
  spinner.start()
  const listings = await Promise.all(
    rows.map(async (row): Promise<ModelListing> => {
      const key = await storedKey(row, host, settings.base)
      const missing = missingKeyMessage(row, findApiKey(row, host.env, key))
      if (missing !== undefined) return { failure: missing }
      const baseUrl = configuredBaseUrl(settings.values, row)
      return listProviderModels({ row, baseUrl, key }, host.env, signal)
    }),
  ).finally(spinner.stop)
  const write = streamWriter(host.stdout)
  let found = 0
  for (const [index, row] of rows.entries()) {
    const listing = listings[index] ?? { failure: 'not queried' }
    if ('failure' in listing) {
      const lines = fitLines([`${row.name}: ${oneLine(listing.failure)}`], host.stderr)
      host.stderr.write(`${lines.join('\n')}\n`)
      continue
    }
    found += listing.models.length
    await write(listing.models.map((model) => `${row.name}:${oneLine(model)}\n`).join(''))
  }
  if (found === 0 && requested === undefined) host.stderr.write(gettingStarted)
  return found === 0 && requested !== undefined ? 1 : 0
}

function missingKeyMessage(row: ProviderRow, key: string | undefined): string | undefined {
  if (row.keyVariable === undefined || row.keyOptional === true || key !== undefined) {
    return undefined
  }
  return `no key (set ${row.keyVariable}, or run: zdx auth login ${row.name})`
}

const gettingStarted = `No model is available. Three ways to start:
  1. a key: set ANTHROPIC_API_KEY (or another one), or run: zdx auth login
  2. a local model: start Ollama, LM Studio or llama.cpp on this machine
  3. no model: --provider script --model <screenplay file> plays a file
`
