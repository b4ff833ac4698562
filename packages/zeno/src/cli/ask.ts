// `zeno ask`: the recursive reader.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { denyOptions, indexOptions, log, root } from './options.ts'

const command = commandFor({})

export const ask = command({
  name: 'ask',
  summary: 'Answer a question about the files, with checked citations',
  description:
    'A model reads the files with search, read, list, symbols and map, and cites what it read. Citations ' +
    'are checked by hash; claims without one are marked [unverified]. Exits with 0 for a verified answer, ' +
    '3 with unverified claims, 4 if the budget is spent (partial answer). Asking again after an ' +
    'interruption continues; answers of sub-calls are kept in the cache folder.',
  options: {
    root: { ...root, required: false, summary: 'the folder or single file to read (default: .)' },
    provider: {
      flags: '--provider <name>',
      summary: 'the provider of the models, as in zdx (default: anthropic)',
    },
    model: { flags: '-m, --model <name>', summary: "the root model (default: the provider's)" },
    subModel: {
      flags: '--sub-model <name>',
      summary: 'the model of sub-calls (default: the root model)',
    },
    budget: {
      flags: '--budget <limits>',
      summary:
        'limits: calls=400,tokens=4000000,bytes=100000000,time=1800 (time in seconds; each optional)',
    },
    parallel: {
      flags: '--parallel <n>',
      summary: 'sub-calls at a time',
      default: '8',
      parse: wholeNumber(1),
    },
    depth: {
      flags: '--depth <n>',
      summary: 'levels of models, the root model included',
      default: '2',
      parse: wholeNumber(1),
    },
    window: {
      flags: '--window <tokens>',
      summary: 'most that a model sees at a time, 4 characters per token',
      default: '50000',
      parse: wholeNumber(1000),
    },
    chunkChars: {
      flags: '--chunk-chars <n>',
      summary: 'characters of one chunk of map',
      default: '40000',
      parse: wholeNumber(1000),
    },
    log: { ...log, summary: 'write the trace to this file (default: in the cache folder)' },
    fresh: {
      flags: '--fresh',
      summary: 'do not use kept answers of sub-calls or of an interrupted run',
    },
    quiet: { flags: '-q, --quiet', summary: 'no progress on standard error' },
    memory: indexOptions.memory,
    ...denyOptions,
    json: { flags: '--json', summary: 'print one JSON object' },
  },
  arguments: [{ name: 'question', summary: 'the question', required: true }],
  examples: [
    { line: 'zeno ask "where are prices rounded?"', note: 'about the working folder' },
    {
      line: 'zeno ask "which endpoints lack a test?" --model claude-sonnet-4-5 --sub-model claude-haiku-4-5',
      note: 'a large model that asks a small one about every chunk',
    },
    { line: 'zeno ask "what changed in 2.0?" --budget calls=40,time=120', note: 'with limits' },
  ],
  run: async ({ options, args, host }) =>
    (await import('../ask/command.ts')).runAsk(args[0] as string, options, host),
})
