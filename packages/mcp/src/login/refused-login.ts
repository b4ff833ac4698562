// A login that failed for a reason that the user can act on.
import { ZeeError } from '@zee/core/errors'

export class LoginError extends ZeeError {
  constructor(reason: string) {
    super('login_failed', reason)
  }
}
