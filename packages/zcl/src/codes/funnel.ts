// Codes of the protocol funnels, enrichment and replay; codes.ts includes them.

export const funnelErrors = {
  ZCL_E_MCP_MAX_TOOL_CALLS: 'more tool calls than the limit of the MCP proxy allows',
  ZCL_E_NOT_RECORDED: 'a call that the served trace does not hold, or holds only in part',
  ZCL_E_RUNNER_ENRICH_FAILED: "the runner's own log was not found or holds nothing usable",
} as const

export const funnelWarnings = {
  ZCL_W_MCP_UNKNOWN_METHOD: 'an MCP request with a method other than the three that have an op',
  ZCL_W_MCP_TIMEOUT: 'the MCP proxy ended because of a deadline or of silence',
  ZCL_W_MCP_MAX_TOOL_CALLS: 'the MCP proxy ended because of its limit of tool calls',
  ZCL_W_STDERR_TRUNCATED: "only the beginning of the server's stderr was kept",
} as const

export type FunnelWarningCode = keyof typeof funnelWarnings
