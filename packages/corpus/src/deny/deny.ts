// Files that are never read: the default list of secret files and the caller's globs, which are listed, and files
// outside an allow-list, which are not. The rules are plain data, because they are posted to threads.
import { compileGlobs } from '../glob/glob.ts'
import type { PathMatcher } from '../glob/glob.ts'

export interface DenyRules {
  /** Globs of paths. A glob without a slash matches a name at any depth. */
  globs: readonly string[]
  /** Denies the default list of secret files. */
  secrets: boolean
  /** Globs of the only files that may be read or listed; all by default. */
  allow?: readonly string[] | undefined
}

interface CompiledRule {
  glob: string
  matcher: PathMatcher
}

/** The default list, for names at any depth. */
const secretNames: readonly { rule: string; pattern: RegExp }[] = [
  { rule: '.env*', pattern: /^\.env/i },
  { rule: '*.pem', pattern: /\.pem$/i },
  { rule: 'id_rsa*', pattern: /^id_rsa/i },
  { rule: 'id_dsa*', pattern: /^id_dsa/i },
  { rule: 'id_ecdsa*', pattern: /^id_ecdsa/i },
  { rule: 'id_ed25519*', pattern: /^id_ed25519/i },
  { rule: '.netrc', pattern: /^\.netrc$/i },
  { rule: '.npmrc', pattern: /^\.npmrc$/i },
  { rule: 'credentials*', pattern: /^credentials/i },
  { rule: 'kubeconfig', pattern: /^(?:(?:.*\.)?kubeconfig|kubeconfig\.(?:ya?ml|json))$/i },
]

/** Names of the default list as shown in the documentation. */
export const secretFileRules: readonly string[] = secretNames.map(({ rule }) => rule)

const compiled = new WeakMap<DenyRules, CompiledRule[]>()
const compiledAllow = new WeakMap<DenyRules, PathMatcher>()

/** The rule that denies a file outside the allow-list. */
const outsideAllowList = 'allow'

/** The rule that denies a path below the root; undefined if none does. */
export function denyingRule(rules: DenyRules | undefined, path: string): string | undefined {
  if (rules === undefined) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (rules.secrets) {
    if (mayBeSecret(name)) {
      const found = secretNames.find(({ pattern }) => pattern.test(name))
      if (found !== undefined) return found.rule
    }
    if (name === 'config' && /(?:^|\/)\.kube\/config$/.test(path)) return 'kubeconfig'
  }
  if (isHidden(rules, path)) return outsideAllowList
  if (rules.globs.length === 0) return undefined
  return compiledGlobs(rules).find(({ matcher }) => matcher.matches(path))?.glob
}

/** Whether a file is outside the allow-list, so that not even its name is shown. */
export function isHidden(rules: DenyRules | undefined, path: string): boolean {
  return rules?.allow !== undefined && !allowed(rules, rules.allow).matches(path)
}

function allowed(rules: DenyRules, globs: readonly string[]): PathMatcher {
  const existing = compiledAllow.get(rules)
  if (existing !== undefined) return existing
  const created = compileGlobs(globs.flatMap(widened))
  compiledAllow.set(rules, created)
  return created
}

/**
 * Whether a rule may deny one of the names in a text with a name per line. A walk asks this for every folder: one
 * search of a text is faster than a test of each name.
 */
export function mayNameDenied({ globs, secrets, allow }: DenyRules, names: string): boolean {
  return allow !== undefined || globs.length > 0 || (secrets && someSecretName.test(names))
}

/** `config` is secret below `.kube`. A name with line breaks of its own may match, too. */
const someSecretName = new RegExp(
  [...secretNames.map(({ pattern }) => pattern.source), '^config$'].join('|'),
  'im',
)

/** A bit for each pair of first characters: .e and .n, cr, id and ku. Tables compile faster than a switch. */
const firstBits = charBits({ '.': 1, c: 2, i: 4, k: 8 })
const secondBits = charBits({ e: 1, n: 1, r: 2, d: 4, u: 8 })
/** The last characters of `*.pem`, `kubeconfig` and `.kube/config`. */
const lastBits = charBits({ m: 1, g: 1 })

/** Rejects most names by their last character and the first two: `index.ts` and `config.ts` are common. */
function mayBeSecret(name: string): boolean {
  const first = firstBits[name.charCodeAt(0)] as number
  return (
    (first & (secondBits[name.charCodeAt(1)] as number)) !== 0 ||
    lastBits[name.charCodeAt(name.length - 1)] === 1
  )
}

/** Bits by UTF-16 unit, for both cases of a letter. */
function charBits(bits: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(0x80)
  for (const [char, bit] of Object.entries(bits)) {
    table[char.charCodeAt(0)] = bit
    table[char.toUpperCase().charCodeAt(0)] = bit
  }
  return table
}

function compiledGlobs(rules: DenyRules): CompiledRule[] {
  const existing = compiled.get(rules)
  if (existing !== undefined) return existing
  const created = rules.globs.map((glob) => ({ glob, matcher: compileGlobs(widened(glob)) }))
  compiled.set(rules, created)
  return created
}

/** The glob itself, everything below a folder that it matches, and both at any depth for a bare name. */
function widened(glob: string): string[] {
  const bare = glob.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  const own = [bare, `${bare}/*`]
  return bare.includes('/') ? own : [...own, `**/${bare}`, `**/${bare}/*`]
}
