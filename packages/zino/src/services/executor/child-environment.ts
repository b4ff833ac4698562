// The environment of executed code: the service's environment without secrets. The code is written by
// a model, and its output goes back to the model.

export type Environment = Readonly<Record<string, string | undefined>>

const secretName =
  /(^|_)(API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|AUTH|COOKIES?|DSN)(_|$)/i
const harmlessNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD'])
const urlWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** A shorter key (local servers accept any word) would match by chance. */
const minSecretLength = 8

/** Drops variables that contain one of `secrets` or look secret; `pass` names exceptions. */
export function childEnvironment(
  env: Environment,
  secrets: readonly string[],
  pass: readonly string[],
): Record<string, string> {
  const allowed = new Set(pass)
  const values = secrets.filter((secret) => secret.length >= minSecretLength)
  const kept = Object.entries(env).filter(([name, value]) => {
    if (value === undefined || values.some((secret) => value.includes(secret))) return false
    if (allowed.has(name) && name !== 'LLM_API_KEY') return true
    if (harmlessNames.has(name)) return true
    return !secretName.test(name) && !urlWithPassword.test(value)
  })
  return Object.fromEntries(kept) as Record<string, string>
}
