// `zdx models`: what can be asked right now, one `provider:model` a line; on stderr why others cannot.
import { oneLine } from '@zee/core/errors'
import type { Call } from '@zee/core/command-line'
import { findApiKey, type ProviderRow } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import { streamWriter } from '@zee/core/lossless'
import { createSpinner } from '../render/render.ts'
import { loadSettings } from '../settings/settings.ts'
import { storedKey } from './models.ts'
import type { Listing } from './local-servers.ts'
import { modelsOf } from './local-servers.ts'
import { placeOf, providerRows, rowNamed } from '../providers/providers.ts'

export async function runModels({
  host,
  globals,
  args,
}: Pick<Call, 'host' | 'args'> & { globals: Globals }): Promise<number> {
  const settings = await loadSettings(host, globals)
  const all = providerRows(settings.values).filter(({ wire }) => wire !== 'script')
  const wanted = args[0] ?? globals.provider
  const rows = wanted === undefined ? all : [rowNamed(all, wanted)]
  const { signal } = new AbortController()
  const spinner = createSpinner(host)
  spinner.start()
  const listings = await Promise.all(
    rows.map(async (row): Promise<Listing> => {
      const key = await storedKey(row, host, settings.base)
      const missing = missingKey(row, findApiKey(row, host.env, key))
      if (missing !== undefined) return { failure: missing }
      const place = placeOf(settings.values, row)
      return modelsOf({ row, ...place, ...(key === undefined ? {} : { key }) }, host.env, signal)
    }),
  ).finally(spinner.stop)
  const write = streamWriter(host.stdout)
  let found = 0
  for (const [index, row] of rows.entries()) {
    const listing = listings[index] ?? { failure: 'not asked' }
    if ('failure' in listing) {
      host.stderr.write(`${row.name}: ${oneLine(listing.failure)}\n`)
      continue
    }
    found += listing.models.length
    await write(listing.models.map((model) => `${row.name}:${oneLine(model)}\n`).join(''))
  }
  if (found === 0 && wanted === undefined) host.stderr.write(threeChoices)
  return found === 0 && wanted !== undefined ? 1 : 0
}

function missingKey(row: ProviderRow, key: string | undefined): string | undefined {
  if (row.keyVariable === undefined || row.keyOptional === true || key !== undefined) {
    return undefined
  }
  return `no key (set ${row.keyVariable}, or run: zdx auth login ${row.name})`
}

const threeChoices = `Nothing can be asked yet. Three ways to begin:
  1. a key: set ANTHROPIC_API_KEY (or another provider's), or run: zdx auth login
  2. a model of your own: start Ollama, LM Studio or llama.cpp on this machine
  3. no model: --provider script --model <screenplay file> plays a file
`
