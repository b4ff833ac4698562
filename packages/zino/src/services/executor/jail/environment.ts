// The environment of scripts with capabilities: only variables that programs need to run.

const names: ReadonlySet<string> = new Set([
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LANGUAGE',
    'TERM',
    'TZ',
    'COLUMNS',
    'LINES',
  ],
  ...['NO_COLOR', 'FORCE_COLOR', 'PYTHONUNBUFFERED'],
])
const prefixes = /^(?:LC_|ZINO_)/

/** `pass` are the variables that `[exc] pass_env` names. `env` holds no secrets any more. */
export function environmentIn(
  env: Readonly<Record<string, string>>,
  pass: readonly string[],
  isRooted: boolean,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => names.has(name) || prefixes.test(name) || pass.includes(name),
  )
  // The only folder outside the granted paths that can be written to; it ends with the script.
  return { ...Object.fromEntries(kept), ...(isRooted ? { TMPDIR: '/dev/shm' } : {}) }
}
