// Revision syntax: a name (object, ref, log entry, output of `git describe`), then any number of `~n`, `^n` and
// `^{type}`. See gitrevisions(7). Ranges and `rev:path` are refused, because they do not name a commit.
import { gitError } from '../failure.ts'
import type { Repository } from '../repository.ts'

/** The commit that a revision names. Throws a ZeeError if there is none. */
export function resolveCommit(repository: Repository, revision: string): string {
  const unknown = (why = ''): Error =>
    gitError(`unknown revision ${JSON.stringify(revision.slice(0, 200))}${why}`)
  if (revision === '' || revision.startsWith('-') || revision.includes('\0')) throw unknown()
  if (/\.\.(?!\/)/.test(revision)) throw unknown(': a range does not name one commit')
  if (/^[^:{]+:/.test(revision)) throw unknown(': pass a path as an argument of its own')
  const [base, suffixes] = splitSuffixes(revision)
  let name = resolveBase(repository, base)
  if (name === undefined) throw unknown()
  for (const suffix of suffixes) {
    name = applySuffix(repository, name, suffix)
    if (name === undefined) throw unknown(`: ${suffix} leads to no commit`)
  }
  const commit = repository.peel(name, 'commit')
  if (commit === undefined) throw unknown(': it is not a commit')
  return commit
}

/** Splits `main~2^{commit}` into `main` and `['~2', '^{commit}']`. */
function splitSuffixes(revision: string): [base: string, suffixes: string[]] {
  const suffix = /(?:~\d*|\^\d*|\^\{[^{}]*\})$/
  const suffixes: string[] = []
  let base = revision
  for (let found = suffix.exec(base); found !== null; found = suffix.exec(base)) {
    suffixes.unshift(found[0])
    base = base.slice(0, found.index)
  }
  return [base === '@' ? 'HEAD' : base, suffixes]
}

function resolveBase(repository: Repository, base: string): string | undefined {
  const { refs, nameDigits } = repository
  if (base.length === nameDigits && /^[0-9a-f]+$/i.test(base)) {
    const name = base.toLowerCase()
    return repository.objects.find(name) === undefined ? undefined : name
  }
  const at = /^(.*?)@\{([^{}]*)\}$/.exec(base)
  if (at !== null) return resolveLogged(repository, at[1] as string, at[2] as string)
  const described = /-g([0-9a-f]{4,})$/.exec(base)?.[1]
  return refs.find(base)?.object ?? resolveShort(repository, base, described)
}

/** An abbreviated object name. If several objects match, the only commit among them. */
function resolveShort(
  repository: Repository,
  base: string,
  described: string | undefined,
): string | undefined {
  const digits = described ?? base.toLowerCase()
  if (!/^[0-9a-f]{4,}$/.test(digits) || digits.length > repository.nameDigits) return undefined
  const matches = repository.objects.matches(digits)
  if (matches.length <= 1) return matches[0]
  const commits = matches.filter((name) => repository.peel(name, 'commit') !== undefined)
  if (commits.length === 1) return commits[0]
  throw gitError(`the revision ${digits} is ambiguous: ${matches.slice(0, 3).join(', ')}`)
}

/** `name@{n}`, `@{-n}` and `name@{upstream}`. Throws a ZeeError that says which of them is missing. */
function resolveLogged(repository: Repository, name: string, inner: string): string | undefined {
  const { refs } = repository
  if (/^-[1-9]\d*$/.test(inner) && name === '') {
    const moves = refs
      .log('HEAD')
      .flatMap((line) => /checkout: moving from (\S+) to /.exec(line)?.[1] ?? [])
    const branch = moves.at(Number(inner))
    return branch === undefined ? undefined : resolveBase(repository, branch)
  }
  if (/^(?:u|upstream)$/i.test(inner)) {
    const branch =
      name === '' || name === 'HEAD' || name === '@' ? refs.headBranch() : refs.find(name)?.ref
    const found = branch === undefined ? undefined : upstreamOf(repository, branch)
    if (found !== undefined) return found
    throw unknownLogged(name, inner, 'the branch has no upstream here')
  }
  if (!/^\d+$/.test(inner)) {
    throw unknownLogged(name, inner, '@{...} takes a number, -n or upstream, and no date')
  }
  const ref = name === '' ? (refs.headBranch() ?? 'HEAD') : name === '@' ? 'HEAD' : name
  const full = ref === 'HEAD' ? 'HEAD' : refs.find(ref)?.ref
  if (full === undefined) return undefined
  const lines = refs.log(full)
  if (Number(inner) === 0) return refs.read(full)?.object
  const line = lines.at(-1 - Number(inner))
  if (line !== undefined) return /^[0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1]
  // The oldest line also tells the value before it.
  const before =
    Number(inner) === lines.length ? /^([0-9a-f]+) /.exec(lines[0] ?? '')?.[1] : undefined
  return before === undefined || /^0+$/.test(before) ? undefined : before
}

function unknownLogged(name: string, inner: string, why: string): Error {
  return gitError(`unknown revision ${JSON.stringify(`${name}@{${inner}}`.slice(0, 200))}: ${why}`)
}

function upstreamOf({ refs, layout }: Repository, branch: string): string | undefined {
  const name = branch.replace(/^refs\/heads\//, '')
  const remote = layout.settings.get(`branch.${name}.remote`)
  const merge = layout.settings.get(`branch.${name}.merge`)
  if (remote === undefined || merge === undefined) return undefined
  const ref = remote === '.' ? merge : merge.replace(/^refs\/heads\//, `refs/remotes/${remote}/`)
  return refs.read(ref)?.object
}

function applySuffix(repository: Repository, name: string, suffix: string): string | undefined {
  const braces = /^\^\{(.*)\}$/s.exec(suffix)?.[1]
  if (braces !== undefined) return applyBraces(repository, name, braces)
  const digits = suffix.slice(1)
  const count = digits === '' ? 1 : Number(digits)
  let commit = repository.peel(name, 'commit')
  if (suffix.startsWith('~')) {
    for (let done = 0; done < count && commit !== undefined; done++) {
      commit = repository.commit(commit).parents[0]
    }
    return commit
  }
  if (commit === undefined || count === 0) return commit
  return repository.commit(commit).parents[count - 1]
}

function applyBraces(repository: Repository, name: string, braces: string): string | undefined {
  if (braces === '') return repository.peel(name)
  if (braces === 'object') return name
  if (braces === 'commit') return repository.peel(name, 'commit')
  if (braces === 'tag') return repository.objects.read(name).type === 'tag' ? name : undefined
  if (!braces.startsWith('/')) return undefined
  const start = repository.peel(name, 'commit')
  if (start === undefined) return undefined
  const wanted = braces.slice(1)
  for (const commit of repository.byDate([start])) {
    if (commit.message.includes(wanted)) return commit.name
  }
  return undefined
}
