// The commands that check evidence and claim ledgers.
import { commandFor } from '@zee/core/command-line'
import { denyOptions, json, rootOptions, rootSettings } from './options.ts'

const command = commandFor({})

export const verify = command({
  name: 'verify',
  summary: 'Check evidence against the files it cites',
  description:
    'Re-reads the lines that each row of an evidence ledger cites and prints a verdict: ok, moved ' +
    '(same text at other lines or in another file), changed, missing, unhashed or invalid. With ' +
    '--certificate it searches again and recomputes the certificate of an answer. Exits with 1 ' +
    'unless all are ok.',
  options: {
    ...rootOptions,
    evidence: {
      flags: '--evidence <file>',
      summary: 'the ledger, one JSON object per line',
      complete: 'file',
    },
    certificate: {
      flags: '--certificate <file>',
      summary: 'an answer of grep with certify: true, as one line of JSON',
      complete: 'file',
    },
    ...denyOptions,
    json,
  },
  examples: [
    {
      line: 'zeno verify --root . --evidence .codex/zeno/evidence/thread.jsonl',
      note: 'check that cited lines are unchanged',
    },
    {
      line: 'zeno verify --root . --certificate answer.json',
      note: 'check that a search still has the same result over the same files',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../evidence/verify/command.ts')).runVerify(rootSettings(options), host),
})

export const lint = command({
  name: 'lint',
  summary: 'Check ledgers and state for gaps and contradictions',
  options: {
    evidence: { flags: '--evidence <file>', summary: 'the evidence ledger', complete: 'file' },
    claims: { flags: '--claims <file>', summary: 'the claim ledger', complete: 'file' },
    state: { flags: '--state <file>', summary: 'the state file of the thread', complete: 'file' },
  },
  examples: [
    {
      line: 'zeno lint --evidence evidence.jsonl --claims claims.jsonl --state state.json',
      note: 'one finding per line; exit 1 if there are any',
    },
  ],
  run: async ({ options, host }) =>
    (await import('../evidence/lint/command.ts')).runLint(options, host),
})
