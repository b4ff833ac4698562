// `zdx auth login|status|logout`: keys in the keyring, never on a command line or in a file that was
// not asked for. A key in the environment always goes first.
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { ProviderRow } from '@zee/llm'
import { findApiKey } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import { providerRows, rowNamed, vendorOf } from '../providers/providers.ts'
import { loadSettings } from '../settings/settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { CredentialStore } from '../credentials/credentials.ts'
import { openKeyFile, openKeyring, storesOf } from '../credentials/credentials.ts'

type AuthCall = Pick<Call, 'host' | 'args'> & { globals: Globals }

export interface LoginCall extends AuthCall {
  options: { stdin: boolean; insecureFile: boolean; noBrowser: boolean }
}

export async function runLogin({ host, args, globals, options }: LoginCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const row = wantedRow(settings, args[0] ?? globals.provider ?? 'openrouter')
  // Where the key will rest is settled before anyone is asked for one.
  const store = options.insecureFile ? openKeyFile(settings.base) : keyringOrRefusal(row)
  const key = (await readKey(host, row, settings, options)).trim()
  if (key === '') throw new ZeeError('no_key', 'no key was given; nothing was stored')
  if (/[\s\u0000-\u001f\u007f]/.test(key)) {
    throw new ZeeError('no_key', 'a key is one word without spaces; nothing was stored')
  }
  await store.set(vendorOf(row.name), key)
  host.stderr.write(`The key of ${row.name} is stored in ${store.place}\n`)
  if (findApiKey(row, host.env, undefined) !== undefined) {
    host.stderr.write(`${row.keyVariable} is set and goes before it\n`)
  }
  return 0
}

export async function runStatus({ host, args, globals }: AuthCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const rows = args[0] === undefined ? keyRows(settings) : [wantedRow(settings, args[0])]
  const stores = storesOf(settings.base)
  for (const row of rows) {
    host.stdout.write(`${row.name}: ${whereKeyIs(row, host, stores)}\n`)
  }
  return 0
}

export async function runLogout({ host, args, globals }: AuthCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const row = wantedRow(settings, args[0] ?? globals.provider ?? 'openrouter')
  let removed = false
  for (const store of storesOf(settings.base)) {
    if (!(await store.remove(vendorOf(row.name)))) continue
    host.stderr.write(`The key of ${row.name} is gone from ${store.place}\n`)
    removed = true
  }
  if (!removed) host.stderr.write(`No key of ${row.name} was stored\n`)
  return 0
}

function keyRows(settings: Settings): ProviderRow[] {
  return providerRows(settings.values).filter(({ keyVariable }) => keyVariable !== undefined)
}

function wantedRow(settings: Settings, name: string): ProviderRow {
  const row = rowNamed(providerRows(settings.values), name)
  if (row.keyVariable === undefined) throw usageError(`${name} needs no key`)
  return row
}

function whereKeyIs(row: ProviderRow, host: Host, stores: readonly CredentialStore[]): string {
  if (findApiKey(row, host.env, undefined) !== undefined) return `environment ${row.keyVariable}`
  const store = stores.find((each) => each.get(vendorOf(row.name)) !== undefined)
  if (store !== undefined) return store.place
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

function keyringOrRefusal({ keyVariable }: ProviderRow): CredentialStore {
  const { store, why } = openKeyring()
  if (store !== undefined) return store
  throw new ZeeError(
    'no_keyring',
    `no keyring is available: ${oneLine(why)}; nothing was stored. Set ${keyVariable} instead, or ` +
      'accept a file that only you can read with --insecure-file',
  )
}
