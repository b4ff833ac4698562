// `zeno skill` and its subcommands.
import { commandFor } from '@zee/core/command-line'

const command = commandFor({})

const options = {
  for: {
    flags: '--for <agent>',
    summary: 'the agent (default: those used in this folder, else agents)',
    choices: ['claude', 'codex', 'opencode', 'gemini', 'zed', 'agents'],
  },
  user: { flags: '--user', summary: 'in the home folder instead of the project' },
  json: {
    flags: '--json',
    summary: 'print each change as JSON (path, before, after) instead of writing it',
  },
} as const

export const skill = command({
  name: 'skill',
  summary: 'Install the skill and the MCP server for a coding agent',
  commands: [
    command({
      name: 'install',
      summary: 'Write the skill where the agent looks for it, and register zeno mcp',
      options: {
        ...options,
        print: { flags: '--print', summary: 'print both instead of writing them' },
      },
      examples: [
        { line: 'zeno skill install --for claude', note: 'for Claude Code, in this project' },
        { line: 'zeno skill install --for codex --print', note: 'show what would be written' },
      ],
      run: async ({ options: given, host }) =>
        (await import('../skill/command.ts')).runSkillInstall(given, host),
    }),
    command({
      name: 'uninstall',
      summary: 'Take back what install wrote',
      options,
      examples: [{ line: 'zeno skill uninstall --for claude', note: 'leaves edited files alone' }],
      run: async ({ options: given, host }) =>
        (await import('../skill/command.ts')).runSkillUninstall({ ...given, print: false }, host),
    }),
  ],
})
