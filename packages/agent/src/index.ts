// The public interface of the agent: turns, sessions, tools and project context. Session management,
// undo and MCP have separate subpaths: `@zee/agent/sessions`, `@zee/agent/undo`, `@zee/agent/mcp`.

export type { ProjectContext } from './context/context.ts'
export { loadProjectContext, readGuidanceFile, userContainer } from './context/context.ts'
export { commonEnds, unifiedDiff } from '@zee/core/diff'
export type { ContextBudget } from './elision/elision.ts'
export { createContextMeter, openResultStore } from './elision/elision.ts'
export type { Envelope } from './envelope/envelope.ts'
export { failure } from './envelope/envelope.ts'
export type { Secrets } from './secrets/secrets.ts'
export { openSecrets } from './secrets/secrets.ts'
export type {
  LoadedHistory,
  Receipt,
  SessionEntry,
  SessionEvent,
  SessionRecord,
  SessionWriter,
} from './session/session.ts'
export {
  checkSessionId,
  latestSession,
  listSessions,
  loadHistory,
  openSession,
  readSession,
  sessionPath,
  sessionsNamed,
  usageFields,
} from './session/session.ts'
export type { BeforeChange, EditorFiles, FileChange, Tool, ToolContext } from './tools/tools.ts'
export { defaultTools, imageType, maxImageBytes, toolNames, toolsNamed } from './tools/tools.ts'
export type {
  AgentEvent,
  CallGuard,
  CallOutcome,
  EndDecision,
  GatheredTools,
  GatherLimits,
  PromptPart,
  RunCall,
  Turn,
  TurnEnd,
} from './turn/turn.ts'
export { runTurn } from './turn/turn.ts'
