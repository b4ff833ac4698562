// `zdx auth login|status|logout`: stores provider keys in the keyring, or in a file only on request. Keys
// are never read from the command line, and a key in the environment always takes precedence.
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { ProviderRow } from '@zee/llm'
import { findApiKey } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import { vendorOf } from '@zee/llm/facts'
import { providerRows, requireProvider } from '../providers/providers.ts'
import { loadSettings } from '../settings/settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { CredentialStore } from '../credentials/credentials.ts'
import { openKeyFile, openKeyring, openStores } from '../credentials/credentials.ts'

type AuthCall = Pick<Call, 'host' | 'args'> & { globals: Globals }

export interface LoginCall extends AuthCall {
  options: { stdin: boolean; insecureFile: boolean; noBrowser: boolean }
}

export async function runLogin({ host, args, globals, options }: LoginCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const row = findKeyProvider(settings, args[0] ?? globals.provider ?? 'openrouter')
  // Fail without a keyring before the user types a key.
  const store = options.insecureFile ? openKeyFile(settings.base) : requireKeyring(row)
  const key = (await readKey(host, row, settings, options)).trim()
  if (key === '') throw new ZeeError('no_key', 'no key entered; nothing was stored')
  if (/[\s\u0000-\u001f\u007f]/.test(key)) {
    throw new ZeeError('no_key', 'a key must not contain spaces; nothing was stored')
  }
  await store.set(vendorOf(row.name), key)
  host.stderr.write(`Stored the key of ${row.name} in ${store.location}\n`)
  if (findApiKey(row, host.env, undefined) !== undefined) {
    host.stderr.write(`${row.keyVariable} is set and takes precedence\n`)
  }
  return 0
}

export async function runStatus({ host, args, globals }: AuthCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const rows = args[0] === undefined ? keyProviders(settings) : [findKeyProvider(settings, args[0])]
  const stores = openStores(settings.base)
  for (const row of rows) {
    host.stdout.write(`${row.name}: ${keyLocation(row, host, stores)}\n`)
  }
  return 0
}

export async function runLogout({ host, args, globals }: AuthCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const row = findKeyProvider(settings, args[0] ?? globals.provider ?? 'openrouter')
  let removed = false
  for (const store of openStores(settings.base)) {
    if (!(await store.remove(vendorOf(row.name)))) continue
    host.stderr.write(`Removed the key of ${row.name} from ${store.location}\n`)
    removed = true
  }
  if (!removed) host.stderr.write(`No key of ${row.name} was stored\n`)
  return 0
}

function keyProviders(settings: Settings): ProviderRow[] {
  return providerRows(settings.values).filter(({ keyVariable }) => keyVariable !== undefined)
}

function findKeyProvider(settings: Settings, name: string): ProviderRow {
  const row = requireProvider(providerRows(settings.values), name)
  if (row.keyVariable === undefined) throw usageError(`${name} needs no key`)
  return row
}

function keyLocation(row: ProviderRow, host: Host, stores: readonly CredentialStore[]): string {
  if (findApiKey(row, host.env, undefined) !== undefined) return `environment ${row.keyVariable}`
  const store = stores.find((each) => each.get(vendorOf(row.name)) !== undefined)
  if (store !== undefined) return store.location
  return row.keyOptional === true ? 'none (needs none)' : 'none'
}

async function readKey(
  host: Host,
  row: ProviderRow,
  settings: Settings,
  options: LoginCall['options'],
): Promise<string> {
  if (options.stdin) return (await import('./read-secret.ts')).readPipedSecret(host)
  if (row.name === 'openrouter') {
    return (await import('./openrouter-login.ts')).loginByBrowser(host, settings, row, {
      openBrowser: !options.noBrowser,
    })
  }
  const { askSecret } = await import('./read-secret.ts')
  return askSecret(host, `${row.title} API key (not shown): `)
}

function requireKeyring({ keyVariable }: ProviderRow): CredentialStore {
  const { store, reason } = openKeyring()
  if (store !== undefined) return store
  throw new ZeeError(
    'no_keyring',
    `no keyring is available: ${oneLine(reason)}; nothing was stored. Set ${keyVariable} instead, or ` +
      'store the key in a file that only you can read with --insecure-file',
  )
}
