// The options that every command of zdx takes.
import type { OptionTable, OptionValues } from '@zee/core/command-line'
import { wholeNumber } from '@zee/core/command-line'

export const globals = {
  root: {
    flags: '--root <dir>',
    summary: 'working folder of the tools and the agent',
    default: '.',
    complete: 'folder',
  },
  systemPrompt: {
    flags: '--system-prompt <text>',
    summary: 'instructions in place of the configured ones; an empty text means none',
  },
  session: { flags: '--session <id>', summary: 'go on with this session, or begin it' },
  continue: { flags: '-c, --continue', summary: 'go on with the latest session' },
  noSave: { flags: '--no-save', summary: 'keep no session' },
  provider: {
    flags: '--provider <name>',
    summary: 'who is asked: anthropic, openai, gemini, openrouter, ollama, script, ...',
  },
  model: {
    flags: '--model <name>',
    summary: 'the model, also as provider:model; for script, the screenplay file',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    summary: 'the longest answer, in tokens',
    parse: wholeNumber(1),
  },
  thinking: {
    flags: '--thinking <level>',
    summary: 'how much the model thinks before it answers',
    choices: ['off', 'low', 'medium', 'high'],
  },
  tools: {
    flags: '--tools <names>',
    summary: 'the tools a model is offered, such as bash,edit,read,write,search,mcp:<server>',
    parse: (text: string) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
  },
  format: {
    flags: '--format <format>',
    summary: 'how answers are written to stdout',
    choices: ['text', 'json'],
    default: 'text',
  },
} as const satisfies OptionTable

export type Globals = OptionValues<typeof globals>
