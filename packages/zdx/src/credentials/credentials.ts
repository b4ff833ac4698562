// Where keys rest between runs: the keyring of the system, through an optional module, or a file that
// only its owner can read, when the user asked for one. Never the configuration, never a session.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { errnoOf, fileError, reasonOf, ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'

/** Keys by provider. */
export interface CredentialStore {
  /** For people: where a key is. */
  readonly place: string
  get(provider: string): string | undefined
  set(provider: string, key: string): Promise<void>
  /** False when there was none. */
  remove(provider: string): Promise<boolean>
}

const service = 'zdx'

/** The key of a provider from wherever one is stored. */
export function findStoredKey(base: string, provider: string): string | undefined {
  return storesOf(base)
    .map((store) => store.get(provider))
    .find((key) => key !== undefined)
}

/** Every store that there is, the keyring first. */
export function storesOf(base: string): CredentialStore[] {
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
 * Where no Secret Service runs, the module would keep keys in the memory of the kernel, which forgets
 * them with the next start of the machine: better to be told than to find them gone.
 */
const options: KeyringOptions = { linux: { store: 'secret-service' } }

export type Keyring =
  | { store: CredentialStore; why?: undefined }
  | { store?: undefined; why: string }

/** The keyring of the system, or why it cannot be used. */
export function openKeyring(): Keyring {
  let keyring: KeyringModule
  try {
    keyring = createRequire(__filename)('@napi-rs/keyring') as KeyringModule
  } catch {
    return { why: 'the package @napi-rs/keyring is not installed' }
  }
  const entry = (provider: string) => new keyring.Entry(service, provider, options)
  try {
    entry('probe').getPassword()
  } catch (error) {
    return { why: `the keyring of the system does not answer (${reasonOf(error)})` }
  }
  return {
    store: {
      place: 'the keyring of the system',
      get: (provider) => entry(provider).getPassword() ?? undefined,
      set: async (provider, key) => entry(provider).setPassword(key),
      remove: async (provider) => {
        const had = entry(provider).getPassword() !== null
        if (had) entry(provider).deletePassword()
        return had
      },
    },
  }
}

/** The file appears with the first key. */
export function openKeyFile(base: string): CredentialStore {
  const file = path.join(base, 'credentials.json')
  const write = async (keys: ReadonlyMap<string, string>) => {
    const { writeJsonAtomic } = await import('@zee/core/atomic-file')
    ensureFolder(base, 0o700)
    await writeJsonAtomic(file, Object.fromEntries(keys), { mode: 0o600 })
  }
  return {
    place: file,
    get: (provider) => keysIn(file).get(provider),
    set: (provider, key) => write(keysIn(file).set(provider, key)),
    remove: async (provider) => {
      const keys = keysIn(file)
      const had = keys.delete(provider)
      if (had) await write(keys)
      return had
    },
  }
}

function keysIn(file: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
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
