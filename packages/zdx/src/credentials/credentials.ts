// Stores provider keys: in the system keyring through an optional module, or on request in a file of
// mode 0600. Keys never go into the configuration or a session.
import { createRequire } from 'node:module'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { errnoOf, fileError, reasonOf, ZeeError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'

/** Keys by provider. */
export interface CredentialStore {
  /** For display. */
  readonly location: string
  get(provider: string): string | undefined
  set(provider: string, key: string): Promise<void>
  /** False if no key was stored. */
  remove(provider: string): Promise<boolean>
}

const service = 'zdx'

/** The stored key of a provider, from the first store that has one. */
export function findStoredKey(base: string, provider: string): string | undefined {
  return openStores(base)
    .map((store) => store.get(provider))
    .find((key) => key !== undefined)
}

/** All available stores, the keyring first. */
export function openStores(base: string): CredentialStore[] {
  const { store } = openKeyring()
  return [...(store === undefined ? [] : [store]), openKeyFile(base)]
}

interface KeyringEntry {
  getPassword(): string | null
  setPassword(password: string): void
  deletePassword(): boolean
}

interface KeyringModule {
  Entry: new (service: string, account: string, options: KeyringOptions) => KeyringEntry
}

interface KeyringOptions {
  linux: { store: 'secret-service' }
}

/**
 * Without a Secret Service the module falls back to the Linux kernel keyring, which a reboot clears.
 * Naming the store turns that silent loss into an error.
 */
const keyringOptions: KeyringOptions = { linux: { store: 'secret-service' } }

export type Keyring =
  | { store: CredentialStore; reason?: undefined }
  | { store?: undefined; reason: string }

/** The system keyring, or the reason why it cannot be used. */
export function openKeyring(): Keyring {
  let keyring: KeyringModule
  try {
    keyring = createRequire(__filename)('@napi-rs/keyring') as KeyringModule
  } catch {
    return { reason: 'the package @napi-rs/keyring is not installed' }
  }
  const entry = (provider: string) => new keyring.Entry(service, provider, keyringOptions)
  try {
    entry('probe').getPassword()
  } catch (error) {
    return { reason: `the system keyring does not respond (${reasonOf(error)})` }
  }
  return {
    store: {
      location: 'the system keyring',
      get: (provider) => entry(provider).getPassword() ?? undefined,
      set: async (provider, key) => entry(provider).setPassword(key),
      remove: async (provider) => {
        const existed = entry(provider).getPassword() !== null
        if (existed) entry(provider).deletePassword()
        return existed
      },
    },
  }
}

/** A store in `credentials.json`; `set` creates the file. */
export function openKeyFile(base: string): CredentialStore {
  const file = path.join(base, 'credentials.json')
  const write = async (keys: ReadonlyMap<string, string>) => {
    const { writeJsonAtomic } = await import('@zee/core/atomic-file')
    ensureDurableFolder(base, 0o700)
    await writeJsonAtomic(file, Object.fromEntries(keys), { mode: 0o600 })
  }
  return {
    location: file,
    get: (provider) => readKeys(file).get(provider),
    set: (provider, key) => write(readKeys(file).set(provider, key)),
    remove: async (provider) => {
      const keys = readKeys(file)
      const existed = keys.delete(provider)
      if (existed) await write(keys)
      return existed
    },
  }
}

function readKeys(file: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(readBoundedFile(file).toString('utf8'))
    if (typeof value !== 'object' || value === null) return new Map()
    return new Map(
      Object.entries(value).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return new Map()
    if (error instanceof SyntaxError) {
      const hint = 'remove it and store the keys again with: zdx auth login --insecure-file'
      throw new ZeeError('credentials', `${file} is not JSON: ${hint}`)
    }
    throw fileError('read', file, error)
  }
}
