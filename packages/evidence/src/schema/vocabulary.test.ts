import { expect, it } from 'vitest'
import * as vocabulary from './vocabulary.ts'

// Stored artifacts and scripts contain these words: a word that changes breaks both.
it.each<[readonly string[], string]>([
  [vocabulary.modes, 'discovery ci'],
  [vocabulary.noteKinds, 'agent operator system'],
  [
    vocabulary.classifications,
    'missing_primitive naming_ux output_shape already_possible_better_way',
  ],
  [
    vocabulary.decisionTags,
    'blocked contaminated_prompt funnel_bypass missing_evidence success timeout',
  ],
  [vocabulary.timeoutStarts, 'attempt_start first_tool_call'],
  [vocabulary.isolationModels, 'process_runner native_spawn'],
  [vocabulary.isolations, 'none namespace container'],
  [vocabulary.networks, 'host none loopback funnel-only'],
  [vocabulary.runnerPresets, 'claude codex gemini opencode pi zdx'],
  [vocabulary.approvalPolicies, 'never on-request untrusted'],
  [vocabulary.effortPolicies, 'best_effort required'],
  [vocabulary.approvalAnswers, 'accept decline'],
  [vocabulary.sandboxModes, 'read-only workspace-write danger-full-access'],
  [vocabulary.exportFormats, 'otlp-json atif junit csv jsonl inspect parquet'],
  [vocabulary.runnerNames, 'codex claude zdx gemini pi qwen copilot opencode'],
  [vocabulary.callLevels, 'action all'],
  [vocabulary.importFormats, 'inspect harbor atif promptfoo otlp codex claude opencode gemini pi'],
])('the words %j are stored', (list, words) => {
  expect(list.join(' ')).toBe(words)
})

it('the native runner has a preset of its own', () => {
  expect(vocabulary.nativePreset).toBe('codex_app_server')
  expect(vocabulary.runnerPresets).not.toContain(vocabulary.nativePreset)
})
