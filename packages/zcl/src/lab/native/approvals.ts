// Answers the requests of the Codex app server by the policy of the run: every approval is accepted or
// declined, questions get no answer.
import { asObject } from '@zee/evidence/json'
import type { Message } from './app-server.ts'

/** Undefined for a request that zcl does not know. */
export function answerRequest(
  method: string,
  params: Message,
  isAccepted: boolean,
): object | undefined {
  switch (method) {
    case 'execCommandApproval':
    case 'applyPatchApproval':
      return { decision: isAccepted ? 'approved' : 'denied' }
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
      return { decision: isAccepted ? 'accept' : 'decline' }
    case 'item/permissions/requestApproval':
      return { permissions: isAccepted ? asObject(params.permissions) : {}, scope: 'turn' }
    case 'mcpServer/elicitation/request':
      return isAccepted ? { action: 'accept', content: {} } : { action: 'decline', content: null }
    case 'item/tool/requestUserInput':
      return { answers: {} }
    default:
      return undefined
  }
}
