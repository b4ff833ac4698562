// Command lines that the machinery of known agents runs by itself, such as polling git for a status
// line. Calls that match are counted apart.

/**
 * Regular expressions over `tool args`, by agent. Agents harden their own calls of git with options that no
 * command of a model has.
 */
const ignorePresets: Readonly<Record<string, readonly string[]>> = {
  claude: [
    '^git -c core\\.(?:askPass=|hooksPath=/dev/null) ',
    '^git (?:-c \\S+ )*(?:rev-parse|status --(?:porcelain|short)|branch --show-current)\\b',
    '^git (?:-c \\S+ )*(?:config --get|remote get-url|log -n ?[1-5]\\b|worktree list)',
  ],
  codex: [
    '^git -c safe\\.bareRepository=explicit ',
    '^git (?:-c \\S+ )*(?:rev-parse|status --porcelain|symbolic-ref|merge-base|remote -v)\\b',
    '^git (?:-c \\S+ )*(?:branch --show-current|log -n ?1\\b|for-each-ref)',
  ],
  opencode: [
    '^git (?:-c \\S+ )*--git-dir \\S+/opencode/snapshot/',
    '^git --no-optional-locks -c core\\.autocrlf=false ',
    '^git (?:-c \\S+ )*(?:rev-parse|rev-list --max-parents=0|status --porcelain)\\b',
    // The snapshots of a repository start with `git init`, in a folder that only a variable names.
    '^git (?:remote get-url origin|worktree list --porcelain|init)$',
  ],
  gemini: ['^git (?:-c \\S+ )*(?:rev-parse|branch --show-current|status --porcelain)\\b'],
  pi: ['^git (?:-c \\S+ )*(?:rev-parse|branch --show-current|status --porcelain)\\b'],
}

export const ignorePresetNames = Object.keys(ignorePresets)

/** The patterns of the presets and of the caller together. */
export function ignoredPatterns(presets: readonly string[], patterns: readonly string[]): string[] {
  return [...new Set([...presets.flatMap((name) => ignorePresets[name] ?? []), ...patterns])]
}
