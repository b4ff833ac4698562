import { expect, it } from 'vitest'
import * as vocabulary from './vocabulary.ts'

// Stored artifacts and scripts contain these words: a word that changes breaks both.
it.each([
  ['modes', 'discovery ci'],
  ['noteKinds', 'agent operator system'],
  ['classifications', 'missing_primitive naming_ux output_shape already_possible_better_way'],
  ['decisionTags', 'blocked contaminated_prompt funnel_bypass missing_evidence success timeout'],
  ['timeoutStarts', 'attempt_start first_tool_call'],
  ['isolationModels', 'process_runner native_spawn'],
  ['isolations', 'none namespace container'],
  ['networks', 'host none loopback funnel-only'],
  ['runnerPresets', 'claude codex gemini opencode pi zdx'],
  ['approvalPolicies', 'never on-request untrusted'],
  ['effortPolicies', 'best_effort required'],
  ['approvalAnswers', 'accept decline'],
  ['sandboxModes', 'read-only workspace-write danger-full-access'],
  ['exportFormats', 'otlp-json atif junit csv jsonl inspect parquet'],
  ['runnerNames', 'codex claude zdx gemini pi qwen copilot opencode'],
  ['callLevels', 'action all'],
] as const)('the %s are %s', (name, words) => {
  expect(vocabulary[name].join(' ')).toBe(words)
})

it('the native runner has a preset of its own', () => {
  expect(vocabulary.nativePreset).toBe('codex_app_server')
  expect(vocabulary.runnerPresets).not.toContain(vocabulary.nativePreset)
})
