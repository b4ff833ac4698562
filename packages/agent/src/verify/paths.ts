// Finds file names in prose and compares them with the paths of a session.

/** Endings that make a bare word a file name. */
const extensions =
  'tsx?|jsx?|mjs|cjs|mts|cts|json|jsonl|jsonc|py|pyi|go|rs|java|kt|kts|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|m|lua|pl|sh|bash|zsh|sql|css|scss|less|html?|vue|svelte|astro|mdx?|rst|txt|toml|ya?ml|ini|cfg|conf|env|lock|xml|svg|csv|tsv|proto|graphql|tf|gradle|ex|exs|erl|hs|ml|dart|r|ipynb|snap|patch|diff|log|png|jpg|gif|wasm|zig|nix'
const notFiles =
  /^(node|vue|next|nuxt|express|react|three|d3|moment|chart|socket|discord|nest|ember|backbone|alpine|p5|deno|bun|e\.g|i\.e|asp|vs)\.(js|io|net|g|e|code)$/i
const namesWithoutEnding =
  /^(Makefile|Dockerfile|Procfile|Gemfile|Rakefile|LICENSE|README|CHANGELOG|Justfile|Jenkinsfile|Vagrantfile|\.gitignore|\.dockerignore|\.env|\.npmrc|\.editorconfig|\.prettierrc|\.eslintrc)$/

export interface PathToken {
  path: string
  /** Position of the token, with its quotes. */
  index: number
  length: number
}

const quoted =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|"([^"\n]+)"|(?<![\w/.@-])((?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@.+-]+\.[A-Za-z]\w{0,6}|(?:[\w@.+-]+\/)+[\w@.+-]*)(?![\w/-])/g

/** The file names of a text, in order. */
export function findPaths(text: string): PathToken[] {
  const tokens: PathToken[] = []
  for (const found of text.matchAll(quoted)) {
    const [all, code, bold, quote, bare] = found
    const inner = (code ?? bold ?? quote ?? bare ?? '').replace(/[`*]/g, '').trim()
    const path = inner.replace(/(?::\d+(?:-\d+)?)+$|#L\d+.*$/, '').replace(/[.,;:]+$/, '')
    const after = text.slice(found.index + all.length)
    const isFolder = code !== undefined && /^ (folder|directory)\b/i.test(after)
    if (isPath(path, code !== undefined) || (isFolder && /^[\w.@+-]+(\/[\w.@+-]+)*$/.test(path)))
      tokens.push({ path, index: found.index, length: all.length })
  }
  return tokens
}

export function isPath(text: string, isCode: boolean): boolean {
  if (text === '' || /\s|[(){}<>=$|;*?'"]|^https?:|^-|^@\w+\/|^\d+(\.\d+)*$|^[./]+$/.test(text))
    return false
  if (notFiles.test(text)) return false
  if (new RegExp(`\\.(${extensions})$`, 'i').test(text)) return true
  if (namesWithoutEnding.test(text)) return true
  return isCode && /^[\w.@+-]+(\/[\w.@+-]+)*\/$/.test(text)
}

/** Whether two spellings may name one file: one is the end of the other, at a slash. */
export function isSamePath(one: string, other: string): boolean {
  const [a, b] = [clean(one), clean(other)]
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
}

/** Whether `path` lies in the folder `folder`. */
export function isBelow(folder: string, path: string): boolean {
  return `/${clean(path)}/`.includes(`/${clean(folder)}/`)
}

function clean(path: string): string {
  return path
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\/+/, '')
}

/** Texts for people: a change of them makes no test result stale. */
export function isProse(path: string): boolean {
  return /\.(mdx?|rst|txt|adoc|log|png|jpe?g|svg|gif|csv)$|(^|\/)(docs?|LICENSE|CHANGELOG|README|AUTHORS|NOTICE|tmp|\.git)(\/|$)|^\/tmp\//i.test(
    path,
  )
}
