// Where keys rest between runs: the keyring of the system, through an optional module, or a file that
// only its owner can read, when the user asked for one. Never the configuration, never a session.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { errnoOf, fileError, ZeeError } from '@zee/core/errors'

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
  const keyring = openKeyring()
  return [...(keyring === undefined ? [] : [keyring]), openKeyFile(base)]
}

interface KeyringEntry {
  getPassword(): string | null
  setPassword(password: string): void
  deletePassword(): boolean
}

interface KeyringModule {
  Entry: new (service: string, account: string) => KeyringEntry
}

/** Undefined when the module is not installed or the system has no keyring that answers. */
export function openKeyring(): CredentialStore | undefined {
  let keyring: KeyringModule
  try {
    keyring = createRequire(__filename)('@napi-rs/keyring') as KeyringModule
    new keyring.Entry(service, 'probe').getPassword()
  } catch {
    return undefined
  }
  const entry = (provider: string) => new keyring.Entry(service, provider)
  return {
    place: 'the keyring of the system',
    get: (provider) => entry(provider).getPassword() ?? undefined,
    set: async (provider, key) => entry(provider).setPassword(key),
    remove: async (provider) => {
      const had = entry(provider).getPassword() !== null
      if (had) entry(provider).deletePassword()
      return had
    },
  }
}

/** The file appears with the first key. */
export function openKeyFile(base: string): CredentialStore {
  const file = path.join(base, 'credentials.json')
  const read = (): Record<string, string> => keysIn(file)
  const write = async (keys: Record<string, string>) => {
    const { writeJsonAtomic } = await import('@zee/core/atomic-file')
    mkdirSync(base, { recursive: true, mode: 0o700 })
    await writeJsonAtomic(file, keys, { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  return {
    place: file,
    get: (provider) => read()[provider],
    set: (provider, key) => write({ ...read(), [provider]: key }),
    remove: async (provider) => {
      const { [provider]: gone, ...rest } = read()
      if (gone !== undefined) await write(rest)
      return gone !== undefined
    },
  }
}

function keysIn(file: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {}
    if (error instanceof SyntaxError) throw new ZeeError('credentials', `${file} is not JSON`)
    throw fileError('read', file, error)
  }
}
