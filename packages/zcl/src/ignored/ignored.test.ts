import { describe, expect, it } from 'vitest'
import { ignoredPatterns } from './ignored.ts'

/** Command lines that the agents ran by themselves, recorded with Codex 0.166, Claude Code 2.1 and others. */
const ownCalls: Readonly<Record<string, readonly string[]>> = {
  codex: [
    'git -c safe.bareRepository=explicit -c core.hooksPath=/dev/null -c core.fsmonitor=false remote get-url origin',
    'git -c safe.bareRepository=explicit -c core.hooksPath=/dev/null -c core.fsmonitor=false rev-parse HEAD',
    'git -c safe.bareRepository=explicit -c core.hooksPath=/dev/null -c core.fsmonitor=false status --porcelain',
    'git -c safe.bareRepository=explicit config --null --get core.fsmonitor',
  ],
  claude: [
    'git -c core.hooksPath=/dev/null -c core.fsmonitor= ls-files --error-unmatch -- :(icase).claude/settings.local.json',
    'git -c core.askPass= -c core.alternateRefsCommand=f() { git for-each-ref; }; f -c gc.auto=0 --no-optional-locks log --oneline -n 5',
    'git -c core.askPass= -c protocol.ext.allow=never config user.name',
  ],
  opencode: [
    'git --git-dir /home/a/.local/share/opencode/snapshot/a4/9f --work-tree /repo write-tree',
    'git -c core.autocrlf=false -c core.quotepath=false --git-dir /home/a/.local/share/opencode/snapshot/a4/9f ls-files',
    'git --no-optional-locks -c core.autocrlf=false -c core.fsmonitor=false symbolic-ref --quiet --short HEAD',
    'git rev-parse --path-format=absolute --git-common-dir',
    'git rev-list --max-parents=0 HEAD',
    'git worktree list --porcelain',
    'git remote get-url origin',
    'git init',
  ],
  gemini: ['git rev-parse --show-toplevel', 'git rev-parse --git-common-dir'],
}

const callsOfModels = [
  'git status',
  'git diff HEAD~1',
  'git log --oneline -5',
  'git commit -m "git -c core.hooksPath=/dev/null"',
  'git -c user.name=a commit -m x',
  'git init project',
]

describe('presets of calls that agents make by themselves', () => {
  it.each(Object.entries(ownCalls))(
    'the preset of %s matches the calls of the agent and no call of a model',
    (agent, lines) => {
      const patterns = ignoredPatterns([agent], []).map((pattern) => new RegExp(pattern))
      const isIgnored = (line: string) => patterns.some((pattern) => pattern.test(line))
      expect(lines.filter((line) => !isIgnored(line))).toEqual([])
      expect(callsOfModels.filter(isIgnored)).toEqual([])
    },
  )
})
