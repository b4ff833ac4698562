// Estimates token counts from sizes, for providers and requests without reported counts.

/** Average size of a token in English text and code; vendors differ by about a quarter. */
const bytesPerToken = 4

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}
