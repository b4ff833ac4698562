// The caps of the zcl contract, in UTF-8 bytes. Writers cut or refuse larger values; the validator
// reports them.

export const limits = {
  previewBytes: 16_384,
  inputBytes: 65_536,
  enrichmentBytes: 65_536,
  resultBytes: 65_536,
  noteMessageBytes: 16_384,
  noteDataBytes: 65_536,
  feedbackFileBytes: 131_072,
  captureBytes: 4_194_304,
  redactionNames: 64,
  redactionNameBytes: 64,
  extraRules: 128,
  extraRuleRegexBytes: 4096,
  extraRuleReplacementBytes: 256,
} as const

/** Writers never produce a longer line. Readers treat one as damage and do not buffer it. */
export const maxLineBytes = 8 * 1024 * 1024

/** Longer than any queue of writers takes, so that a slow queue loses no event. */
export const maxLockWaitMs = 120_000
