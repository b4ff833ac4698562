// The front door of the agent: run a turn, keep a session, gather project context. Less common needs have
// doors of their own: `@zee/agent/sessions` and `@zee/agent/undo`.

export type { AgentEvent, TurnEnd } from './events.ts'
export type { Envelope } from './envelope.ts'
export type { Turn } from './run-turn.ts'
export { runTurn } from './run-turn.ts'
export type { Receipt, SessionRecord } from './session/records.ts'
export { usageFields } from './session/receipt.ts'
export type { SessionWriter } from './session/session-file.ts'
export { checkSessionId, openSession, sessionPath } from './session/session-file.ts'
export type { SessionEvent } from './session/read-session.ts'
export { loadMessages, readSession } from './session/read-session.ts'
export type { SessionEntry } from './session/session-list.ts'
export { latestSession, listSessions } from './session/session-list.ts'
export type { ProjectContext } from './project-context.ts'
export { loadProjectContext } from './project-context.ts'
export type { FileChange, Tool, ToolContext } from './tools/tool.ts'
export { defaultTools, toolNames, toolsNamed } from './tools/toolbox.ts'
